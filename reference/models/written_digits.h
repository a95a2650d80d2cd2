#pragma once
/// Handwritten digits as models read them.

#include <cstddef>
#include <vector>

#include "datasets/digits.h"
#include "reference/models/layout.h"
#include "reference/models/random.h"

namespace attn::training {

inline constexpr int kDigitSide = 8, kDigitPixels = kDigitSide * kDigitSide;

/// Images of ink from 0 to 1, and what is written there.
struct WrittenDigits {
    Numbers pixels;
    std::vector<int> labels;

    int count() const { return static_cast<int>(labels.size()); }
    const float* image(int k) const { return pixels.data() + std::ptrdiff_t{k} * kDigitPixels; }
    void add(const data::Digits& digits);
};

/// The image as if it had been written a little turned, larger or smaller, and elsewhere: `most_shift` pixels at most.
void distort(float* to, const float* from, Random& random, float most_shift = 1);

}  // namespace attn::training
