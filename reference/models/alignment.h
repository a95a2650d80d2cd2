#pragma once
/// Pairs of a canvas with two handwritten digits and a caption, which may be that of another canvas.

#include <vector>

#include "reference/models/aligner.h"
#include "reference/models/captions.h"

namespace attn::training {

/// The canvas and its two digits.
inline constexpr int kRegions = 3;
/// START and the words of the longest caption with its end.
inline constexpr int kSentenceWords = kCaptionWords + 1;
/// START, in the vocabulary of the sentences after the words of captions.
inline constexpr int kSentenceStart = kCaptionEnd + 1;

/// The model of the training.
AlignerSizes aligner_sizes();

/// The regions of canvases. The first one is the whole canvas: its features are the mean of those of the digits, as in Lu et al. 2019. A
/// digit's features are its pixels. The two digits stand in any order.
struct CanvasRegions {
    Numbers features;  ///< [B, 3, 64]
    Numbers boxes;     ///< [B, 3, 4]  x_1, y_1, x_2, y_2 in pixels
};
CanvasRegions regions_of(const CaptionedImages& images, Random& random);

/// Ways to make a wrong caption of a right one.
enum class Wrong { digit, order, relation };

/// A caption's words with one digit replaced, with its digits exchanged, or with "left of" for "above" or the other way round. A caption
/// that names one digit twice has no other order.
std::vector<int> wrong_caption(const int* words, Wrong how, Random& random);

/// Pairs that own their numbers. Canvas and caption of each are given one after the other.
class PairList {
  public:
    void add(const CanvasRegions& regions, int canvas, const int* caption);
    ScoredPairs pairs() const;
    int count() const { return count_; }

  private:
    Numbers features_, five_;
    std::vector<int> tokens_;
    std::vector<std::uint8_t> is_word_;
    int count_ = 0;
};

}  // namespace attn::training
