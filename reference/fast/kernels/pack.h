#pragma once
/// K^T as the scores' inner loop reads it: panels of as many keys as a register tile is wide, each [D_q,
/// keys].

#include "reference/fast/kernels/vector.h"

namespace attn::fast::ATTN_VECTOR_UNIT {
namespace {

inline constexpr int kPanelKeys = kTileVectors * kLanes;

/// The lanes whose bit kStep is clear from a, the others from b, kStep lanes lower.
template <int kStep, int... I>
ATTN_INLINE Vector lower_of_pairs(Vector a, Vector b, Indices<I...> /*lanes*/) {
    return __builtin_shufflevector(a, b, ((I & kStep) ? kLanes + I - kStep : I)...);
}

/// The lanes whose bit kStep is set from b, the others from a, kStep lanes higher.
template <int kStep, int... I>
ATTN_INLINE Vector upper_of_pairs(Vector a, Vector b, Indices<I...> /*lanes*/) {
    return __builtin_shufflevector(a, b, ((I & kStep) ? kLanes + I : I + kStep)...);
}

/// Transposes squares of 2 kStep rows and columns whose quarters are transposed already.
template <int kStep, class All>
ATTN_INLINE void swap_quarters(Vector (&x)[kLanes], All lanes) {
#pragma GCC unroll 16
    for (int i = 0; i < kLanes; ++i) {
        if (i & kStep) continue;
        const Vector a = x[i], b = x[i + kStep];
        x[i] = lower_of_pairs<kStep>(a, b, lanes);
        x[i + kStep] = upper_of_pairs<kStep>(a, b, lanes);
    }
}

ATTN_INLINE void transpose(Vector (&x)[kLanes]) {
    if constexpr (kLanes > 8) swap_quarters<8>(x, Lanes{});
    if constexpr (kLanes > 4) swap_quarters<4>(x, Lanes{});
    swap_quarters<2>(x, Lanes{});
    swap_quarters<1>(x, Lanes{});
}

inline void pack_keys(float* packed, const float* K, std::ptrdiff_t K_row, int keys, int D_q) {
    const int padded = round_up(keys, kPanelKeys), whole = D_q / kLanes * kLanes;
    for (int j0 = 0; j0 < padded; j0 += kLanes) {
        float* const panel =
            packed + static_cast<std::ptrdiff_t>(j0 / kPanelKeys * kPanelKeys) * D_q + j0 % kPanelKeys;
        const int count = smaller(kLanes, keys - j0);
        for (int d0 = 0; d0 < whole; d0 += kLanes) {
            Vector x[kLanes];
#pragma GCC unroll 16
            for (int j = 0; j < kLanes; ++j) x[j] = j < count ? load(K + (j0 + j) * K_row + d0) : Vector{};
            transpose(x);
#pragma GCC unroll 16
            for (int d = 0; d < kLanes; ++d) store(panel + (d0 + d) * kPanelKeys, x[d]);
        }
        for (int d = whole; d < D_q; ++d)
            for (int j = 0; j < kLanes; ++j)
                panel[d * kPanelKeys + j] = j < count ? K[(j0 + j) * K_row + d] : 0;
    }
}

}  // namespace
}  // namespace attn::fast::ATTN_VECTOR_UNIT
