#pragma once
/// Canvases with two handwritten digits, and what is to be said about them: "three left of five", "seven above two".

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "reference/models/captioner.h"
#include "reference/models/written_digits.h"

namespace attn::training {

/// A canvas has kCanvasSide x kCanvasSide pixels of three numbers: its ink, its row and its column, from -1 to 1. Without the
/// last two no cell of the grid would know where it stands, because a convolution does the same everywhere (Liu et al.
/// 2018).
inline constexpr int kCanvasSide = 20, kCanvasNumbers = 3;

/// The words that a caption has: the digits, "left", "of", "above" and the end.
inline constexpr int kDigitWords = 10, kCaptionEnd = 13;
/// The words of the longest caption, with its end. A shorter one ends with -1.
inline constexpr int kCaptionWords = 5;

const std::vector<std::string>& caption_words();
/// The model of the training.
CaptionerSizes caption_sizes();
/// A caption in words, without its end. A number that is no word is "?".
std::string caption_text(const int* words);

/// A digit that a word of a caption names: the word's number and where the digit's upper left corner is.
struct NamedDigit {
    int word = 0, y = 0, x = 0;
};

struct CaptionedImages {
    Numbers pixels;
    std::vector<int> words;
    std::vector<std::array<NamedDigit, 2>> named;

    int count() const { return static_cast<int>(named.size()); }
    Read4 canvases() const { return canvases(0, count()); }
    Read4 canvases(int first, int number) const {
        return {pixels.data() + std::ptrdiff_t{first} * kCanvasSide * kCanvasSide * kCanvasNumbers, number,
                kCanvasSide, kCanvasSide, kCanvasNumbers};
    }
    TensorView<const int, 2> captions() const { return {words.data(), count(), kCaptionWords}; }
};

/// What no training image has: a pair of digits that are always held out, places that are.
struct Novelty {
    bool pairs = false, places = false;
};

class DigitsOnCanvas {
  public:
    /// The digits are kept by reference.
    explicit DigitsOnCanvas(const WrittenDigits& digits);
    CaptionedImages draw(Random& random, int count, Novelty novelty, bool distorted) const;

  private:
    void add(CaptionedImages& images, Random& random, Novelty novelty, bool distorted) const;

    const WrittenDigits& digits_;
    std::vector<std::vector<int>> of_digit_;
};

/// The share of a map [R, C] that lies on the digit, if each cell's weight is spread evenly over the cell's own pixels.
double share_on_digit(Read2 map, const NamedDigit& digit);

}  // namespace attn::training
