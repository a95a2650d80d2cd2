// Multiply-adds of one vector unit, as many at a time as hide how long one takes.

#include "reference/fast/kernels/vector.h"

namespace attn::fast::ATTN_VECTOR_UNIT {

/// Does `rounds` rounds of 12 independent multiply-adds of vectors, and tells the number of operations.
double multiply_add(long rounds, float* result);

double multiply_add(long rounds, float* result) {
    constexpr int kChains = 12;  // four cycles long, two begun in each: 8 would do, and 12 fit 16 registers
    Vector sums[kChains];
#pragma GCC unroll 16
    for (int k = 0; k < kChains; ++k) sums[k] = all(static_cast<float>(k));
    const Vector factor = all(0.999F), term = all(0.001F);
    for (long round = 0; round < rounds; ++round) {
#pragma GCC unroll 16
        for (Vector& sum : sums) sum = sum * factor + term;
    }
    Vector total = all(0);
#pragma GCC unroll 16
    for (const Vector& sum : sums) total += sum;
    *result = sum_of(total);
    return 2.0 * kChains * kLanes * static_cast<double>(rounds);
}

}  // namespace attn::fast::ATTN_VECTOR_UNIT
