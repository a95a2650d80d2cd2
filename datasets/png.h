#pragma once
/// Reads photographs from PNG files.

#include <filesystem>

#include "assignments/array.h"

namespace attn::data {

/// The picture in a PNG file of any kind.
///   std::uint8_t [H, W, 3]   rows from the top, columns from the left, then red, green, blue, sRGB, 0 to 255
/// Grey becomes equal red, green and blue; a palette becomes its colours; 16 bits become 8. Transparent
/// pixels are composed onto white, in linear light as libpng does, not in sRGB numbers. The array's name is
/// the stem of the path. Throws FileError if the file is not a PNG, truncated, damaged, or unpacks to more
/// than kMaxFileBytes.
Array read_png(const std::filesystem::path& path);

}  // namespace attn::data
