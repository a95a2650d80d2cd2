#pragma once
/// As many multiply-adds as the unit can do: the roof over all speeds.

#include "reference/fast/kernels/vector.h"

namespace attn::fast::ATTN_VECTOR_UNIT {
namespace {

inline constexpr int kPeakSums = kTileRows * kTileVectors;

inline float multiply_adds(long rounds, float factor) {
    Vector sums[kPeakSums];
    for (int k = 0; k < kPeakSums; ++k) sums[k] = all(static_cast<float>(k));
    const Vector x = all(factor), y = all(1 - factor);
    for (long round = 0; round < rounds; ++round)
#pragma GCC unroll 24
        for (Vector& sum : sums) sum = sum * x + y;
    for (int k = 1; k < kPeakSums; ++k) sums[0] += sums[k];
    return sum_of(sums[0]);
}

inline double flop_of_round() {
    return 2.0 * kPeakSums * kLanes;
}

}  // namespace
}  // namespace attn::fast::ATTN_VECTOR_UNIT
