#pragma once
/// The file format of trained weights: named arrays in one file, as the Python package safetensors writes and
/// reads them (safetensors.torch.load_file, safetensors.numpy.load_file).

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "assignments/array.h"

namespace attn::data {

/// The most axes of an array in a file.
inline constexpr std::size_t kMaxSafetensorsRank = 8;

/// A header of more bytes is refused, as in the Python package.
inline constexpr std::size_t kMaxSafetensorsHeader = 100'000'000;

/// What one file holds.
struct Safetensors {
    Arrays arrays;                                ///< in the order of their bytes
    std::map<std::string, std::string> metadata;  ///< any texts: how the weights were made, for example
};

/// The arrays and metadata of a file. Arrays whose names are in `without` are left out, whatever their element type.
///   F32, F64    float, double
///   I32         std::int32_t
///   U8          std::uint8_t
/// Throws FileError for everything else: other element types, a file that is truncated or goes on, arrays
/// that overlap, leave bytes out or have another size than their shape, repeated names, JSON of another form.
/// Format: 8 bytes with the length of the header (little-endian), the header as JSON, the numbers.
Safetensors read_safetensors(const std::filesystem::path& path, const std::set<std::string>& without = {});

/// Writes the arrays as the Python package does, to the byte: the widest element type first, then by name;
/// the numbers begin at a multiple of 8 bytes. (The package has no order of metadata; here it is that of the
/// names.) The file appears complete or not at all. Throws FileError if it cannot be written, and
/// std::invalid_argument for a repeated name, the name "__metadata__", a text that is not UTF-8, more than
/// kMaxSafetensorsRank axes, or a shape that does not fit the array's values.
void write_safetensors(const std::filesystem::path& path, const Arrays& arrays,
                       const std::map<std::string, std::string>& metadata = {});

/// The array with this name. Throws std::invalid_argument with the list of names if there is none.
const Array& array_named(const Arrays& arrays, std::string_view name);

}  // namespace attn::data
