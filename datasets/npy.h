#pragma once
/// NumPy's file format for one array: what np.save(f, a) writes and np.load(f) reads.

#include <filesystem>

#include "assignments/array.h"

namespace attn::data {

/// Axes of an array in a file: a TensorView has no more.
inline constexpr int kMaxNpyRank = 4;

/// The array in an .npy file of version 1.0, 2.0 or 3.0; its name is the stem of the path.
///   '<f4'         float          '<f8'   double
///   '<i4'         std::int32_t
///   '|u1' '|b1'   std::uint8_t   (of bool: 0 and 1)
///   shape         that of the file, row-major, [] for a single number; rank at most kMaxNpyRank
/// Throws FileError for everything else (other element types, column-major order, truncated or trailing
/// bytes, a malformed header), with the numpy call that mends it. Source: numpy.lib.format, "Format
/// Version 1.0" to "3.0".
Array read_npy(const std::filesystem::path& path);

/// Writes `array` as an .npy file of version 1.0; float, double, std::int32_t and std::uint8_t become
/// '<f4', '<f8', '<i4' and '|u1'. The name of the array is not kept. The file appears under its name complete
/// or not at all, and an older one stays whole if the new one cannot be written. Throws FileError then (no
/// such folder, disk full), and std::invalid_argument for more than kMaxNpyRank axes or a shape that does not
/// fit the number of values.
void write_npy(const std::filesystem::path& path, const Array& array);

}  // namespace attn::data
