#pragma once
/// A vision transformer that reads handwritten digits with functions of the contract.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/training/forward.h"

namespace attn::trained {

/// Pixels along the side of a patch, and heads of the shipped model.
inline constexpr int kDigitPatch = 2, kDigitHeads = 4;

/// Images of digits as the model takes them: X [B, 1, 8, 8] of 0 .. 1, and what was written.
struct DigitImages {
    Array X;
    std::vector<int> written;

    int count() const { return X.shape[0]; }
    /// The images first .. first + count - 1.
    Array some(int first, int count) const;
};

/// The shipped images that no shipped weights have learned from: the last ones, of other writers.
DigitImages held_out_digits();

/// What vit_encode reads in each image, asked in small batches.
std::vector<int> read_with_vit(Functions& f, const Weights& weights, const DigitImages& images);

/// The same, put together from embed_patches and blocks that get their attention from `from`.
std::vector<int> read_with_blocks(Functions& f, const Weights& weights, const DigitImages& images, From from);

/// The weights of attention of the last block: [B, H, N + 1, N + 1].
Array attention_of_last_block(Functions& f, const Weights& weights, const Array& X, From from);

}  // namespace attn::trained
