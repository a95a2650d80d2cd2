#pragma once
/// Handwritten digits, 8 x 8 pixels each.

#include <filesystem>

#include "assignments/array.h"

namespace attn::data {

struct Digits {
    /// float [N, 8, 8]: image, row from the top, column from the left; whole numbers, 0 (paper) to 16 (ink).
    Array pixels;
    /// std::uint8_t [N]: the digit that was written, 0 to 9.
    Array labels;
};

/// Reads a table with one line per image: 64 pixels, row by row, then the label, separated by commas; no
/// header line. The file is compressed by gzip, or plain text. Throws FileError if it cannot be read, ends
/// too early or is damaged; and for the first wrong value, with its line and column (from 1).
Digits read_digits(const std::filesystem::path& path);

}  // namespace attn::data
