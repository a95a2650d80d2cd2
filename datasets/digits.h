#pragma once
/// Handwritten digits, 8 x 8 pixels each.

#include <filesystem>
#include <vector>

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

/// How many images a split holds out.
inline constexpr int kHeldOutDigits = 360;

/// Images to train with, and images to try the trained model on. No image is in both.
struct DigitsSplit {
    Digits training;
    Digits held_out;
};

/// Holds out images that are drawn at random, the same ones in every run and on every platform.
DigitsSplit split_at_random(const Digits& digits);

/// Holds out the last images. The shipped file goes from writer to writer, so these are of other people than
/// the images before them, and harder to read for a model that has learned from those.
DigitsSplit split_off_last(const Digits& digits);

/// The images with these numbers (from 0), in this order. Throws std::out_of_range for a wrong number.
Digits chosen(const Digits& digits, const std::vector<int>& images);

}  // namespace attn::data
