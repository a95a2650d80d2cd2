#pragma once
/// What gated recurrent cells do to the sums of their gates, a vector at a time.

#include "reference/fast/kernels/layers.h"

namespace attn::fast::ATTN_VECTOR_UNIT {
namespace {

/// sigma(x) = 1 / (1 + exp(-x))
ATTN_INLINE Vector sigma_of(Vector x) {
    return sigma_in_base_2(all(kLog2e) * x);
}

/// f(j, lanes) for each vector of a row: the number that it begins with, and how many of its lanes count.
template <class F>
ATTN_INLINE void for_vectors(std::ptrdiff_t count, F f) {
    std::ptrdiff_t j = 0;
    for (; j + kLanes <= count; j += kLanes) f(j, kLanes);
    if (j < count) f(j, static_cast<int>(count - j));
}

inline void sigma_row(float* y, const float* x, std::ptrdiff_t count) {
    const FlushToZero flush;
    map(y, x, count, [](Vector v) { return sigma_of(v); });
}

inline void gated_row(float* y, const float* gate, const float* x, std::ptrdiff_t count) {
    const FlushToZero flush;
    for_vectors(count, [&](std::ptrdiff_t j, int lanes) {
        store_up_to(y + j, lanes, sigma_of(load_up_to(gate + j, lanes)) * load_up_to(x + j, lanes));
    });
}

inline void lstm_row(float* h, float* c, const float* sums, const float* c_prev, std::ptrdiff_t count) {
    const FlushToZero flush;
    for_vectors(count, [&](std::ptrdiff_t j, int lanes) {
        const auto sum = [&](int gate) { return load_up_to(sums + gate * count + j, lanes); };
        const Vector cell =
            sigma_of(sum(1)) * load_up_to(c_prev + j, lanes) + sigma_of(sum(0)) * tanh_of(sum(2));
        store_up_to(c + j, lanes, cell);
        store_up_to(h + j, lanes, sigma_of(sum(3)) * tanh_of(cell));
    });
}

inline void gru_row(float* h, const float* gate, const float* candidate, const float* h_prev,
                    std::ptrdiff_t count) {
    const FlushToZero flush;
    for_vectors(count, [&](std::ptrdiff_t j, int lanes) {
        const Vector z = sigma_of(load_up_to(gate + j, lanes)), n = tanh_of(load_up_to(candidate + j, lanes));
        store_up_to(h + j, lanes, z * load_up_to(h_prev + j, lanes) + (all(1) - z) * n);
    });
}

}  // namespace
}  // namespace attn::fast::ATTN_VECTOR_UNIT
