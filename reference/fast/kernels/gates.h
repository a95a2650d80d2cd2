#pragma once
/// What gated recurrent cells do to the sums of their gates, a vector at a time.

#include "reference/fast/kernels/layers.h"

namespace attn::fast::ATTN_VECTOR_UNIT {
namespace {

/// sigma(x) = 1 / (1 + exp(-x))
ATTN_INLINE Vector sigma_of(Vector x) {
    return sigma_in_base_2(all(kLog2e) * x);
}

inline void sigma_row(float* y, const float* x, std::ptrdiff_t count) {
    const FlushToZero flush;
    map(y, x, count, [](Vector v) { return sigma_of(v); });
}

inline void gated_row(float* y, const float* gate, const float* x, std::ptrdiff_t count) {
    const FlushToZero flush;
    for_each_place(count, [&](auto at, auto put) { put(y, sigma_of(at(gate)) * at(x)); });
}

inline void lstm_row(float* h, float* c, const float* sums, const float* c_prev, std::ptrdiff_t count) {
    const FlushToZero flush;
    for_each_place(count, [&](auto at, auto put) {
        const auto sum = [&](int gate) { return at(sums + gate * count); };
        const Vector cell = sigma_of(sum(1)) * at(c_prev) + sigma_of(sum(0)) * tanh_of(sum(2));
        put(c, cell);
        put(h, sigma_of(sum(3)) * tanh_of(cell));
    });
}

inline void gru_row(float* h, const float* gate, const float* candidate, const float* h_prev,
                    std::ptrdiff_t count) {
    const FlushToZero flush;
    for_each_place(count, [&](auto at, auto put) {
        const Vector z = sigma_of(at(gate));
        put(h, z * at(h_prev) + (all(1) - z) * tanh_of(at(candidate)));
    });
}

}  // namespace
}  // namespace attn::fast::ATTN_VECTOR_UNIT
