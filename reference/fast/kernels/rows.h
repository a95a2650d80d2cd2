#pragma once
/// Functions of every number of a row, and softmax.

#include "reference/fast/kernels/exp.h"
#include "reference/fast/kernels/map.h"

namespace attn::fast::ATTN_VECTOR_UNIT {
namespace {

inline void exp_row(float* y, const float* x, std::ptrdiff_t count) {
    map(y, x, count, [](Vector v) { return exp_of(v); });
}

inline void exp2_row(float* y, const float* x, std::ptrdiff_t count) {
    const FlushToZero flush;
    map(y, x, count, [](Vector v) { return exp2_of(v); });
}

inline void softmax_row(float* y, const float* x, std::ptrdiff_t count) {
    Vector top = all(-kInfinity);
    std::ptrdiff_t j = 0;
    for (; j + kLanes <= count; j += kLanes) top = larger(load(x + j), top);
    if (j < count) top = larger(load_part(x + j, count - j, -kInfinity), top);
    const Vector m = all(largest_of(top));
    Vector sums{};
    for (j = 0; j + kLanes <= count; j += kLanes) {
        const Vector e = exp_of(load(x + j) - m);
        sums += e;
        store(y + j, e);
    }
    if (j < count) {
        const Vector e = exp_of(load_part(x + j, count - j, -kInfinity) - m);
        sums += e;
        store_part(y + j, count - j, e);
    }
    const Vector inverse = all(1 / sum_of(sums));
    map(y, y, count, [&](Vector e) { return e * inverse; });
}

}  // namespace
}  // namespace attn::fast::ATTN_VECTOR_UNIT
