#pragma once
/// A function of every number of a row whose length need not be whole vectors.

#include "reference/fast/kernels/vector.h"

namespace attn::fast::ATTN_VECTOR_UNIT {
namespace {

/// The first `count` lanes from memory, `rest` in the others.
ATTN_INLINE Vector load_part(const float* from, std::ptrdiff_t count, float rest) {
    Vector x = all(rest);
    __builtin_memcpy(&x, from, static_cast<std::size_t>(count) * sizeof(float));
    return x;
}

ATTN_INLINE void store_part(float* to, std::ptrdiff_t count, Vector x) {
    __builtin_memcpy(to, &x, static_cast<std::size_t>(count) * sizeof(float));
}

/// y[j] = f(x[j]), a vector at a time.
template <class F>
ATTN_INLINE void map(float* y, const float* x, std::ptrdiff_t count, F f) {
    std::ptrdiff_t j = 0;
    for (; j + kLanes <= count; j += kLanes) store(y + j, f(load(x + j)));
    if (j < count) store_part(y + j, count - j, f(load_part(x + j, count - j, 0)));
}

}  // namespace
}  // namespace attn::fast::ATTN_VECTOR_UNIT
