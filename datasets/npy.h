#pragma once
/// NumPy's file format for one array: what np.save(f, a) writes and np.load(f) reads.

#include <filesystem>

#include "assignments/array.h"

namespace attn::data {

/// The largest number of axes of an array, as in a TensorView.
inline constexpr int kMaxNpyRank = 4;

/// The array in an .npy file of version 1.0, 2.0 or 3.0; its name is the stem of the path.
///   '<f4'         float          '<f8'   double
///   '<i4'         std::int32_t
///   '|u1' '|b1'   std::uint8_t   (of bool: 0 and 1)
///   shape         that of the file, row-major, [] for a single number; rank at most kMaxNpyRank
/// Throws FileError for everything else (other element types, column-major order, truncated or trailing
/// bytes, a malformed header). The message names the numpy call that writes a readable file. Source:
/// numpy.lib.format, "Format Version 1.0" to "3.0".
Array read_npy(const std::filesystem::path& path);

/// Writes `array` as an .npy file of version 1.0: float, double, std::int32_t and std::uint8_t become '<f4',
/// '<f8',
/// '<i4' and '|u1'. The name of the array is not stored. The file appears complete or not at all; an older
/// file stays if the new one cannot be written. Throws FileError if it cannot be written (no such folder,
/// disk full), and std::invalid_argument if the array has more than kMaxNpyRank axes or a shape that does not
/// fit its values.
void write_npy(const std::filesystem::path& path, const Array& array);

}  // namespace attn::data
