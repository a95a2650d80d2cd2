#pragma once
/// One vector of floats of the unit that this is compiled for, by GCC's vector extensions; intrinsics where
/// those have no word for it. ATTN_VECTOR_UNIT, the unit's namespace, is set by the build.

#include <cstddef>
#include <cstdint>

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

#define ATTN_INLINE [[gnu::always_inline]] inline

namespace attn::fast::ATTN_VECTOR_UNIT {
namespace {

#if defined(__AVX512F__)
inline constexpr int kLanes = 16;
inline constexpr int kTileVectors = 4;  // with the 6 rows of a tile 24 of 32 registers
#elif defined(__AVX2__)
inline constexpr int kLanes = 8;
inline constexpr int kTileVectors = 2;  // 12 of 16 registers
#else
inline constexpr int kLanes = 4;
inline constexpr int kTileVectors = 2;
#endif
inline constexpr int kTileRows = 6;

using Vector = float __attribute__((vector_size(kLanes * sizeof(float))));
using Integers = std::int32_t __attribute__((vector_size(kLanes * sizeof(float))));
using Bits = std::uint32_t __attribute__((vector_size(kLanes * sizeof(float))));

inline constexpr float kInfinity = __builtin_inff();

ATTN_INLINE Vector load(const float* from) {
    Vector x;
    __builtin_memcpy(&x, from, sizeof x);
    return x;
}

ATTN_INLINE void store(float* to, Vector x) {
    __builtin_memcpy(to, &x, sizeof x);
}

ATTN_INLINE Vector all(float x) {
    return x - Vector{};  // x + 0 would lose the sign of -0
}

/// x y + z, rounded once where the unit can. Written as an expression, g++ 14 fuses it in some loops and not in
/// others, so that a sum would depend on the loop that it stands in.
ATTN_INLINE Vector multiply_add(Vector x, Vector y, Vector z) {
#if defined(__AVX512F__)
    return _mm512_fmadd_ps(x, y, z);
#elif defined(__AVX2__)
    return _mm256_fmadd_ps(x, y, z);
#else
    return x * y + z;
#endif
}

/// b where either is not a number.
ATTN_INLINE Vector larger(Vector a, Vector b) {
#if defined(__AVX512F__)
    return _mm512_max_ps(a, b);
#elif defined(__AVX2__)
    return _mm256_max_ps(a, b);
#else
    return a > b ? a : b;
#endif
}

/// Is any number above 0?
ATTN_INLINE bool any_positive(Vector x) {
#if defined(__AVX512F__)
    return _mm512_cmp_ps_mask(x, Vector{}, _CMP_GT_OQ) != 0;
#elif defined(__AVX2__)
    return _mm256_movemask_ps(_mm256_cmp_ps(x, Vector{}, _CMP_GT_OQ)) != 0;
#else
    std::int32_t any = 0;
    const Integers positive = x > Vector{};
    for (int lane = 0; lane < kLanes; ++lane) any |= positive[lane];
    return any != 0;
#endif
}

template <int... I>
struct Indices {};

#if defined(__AVX512F__)
using Lanes = Indices<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>;
#elif defined(__AVX2__)
using Lanes = Indices<0, 1, 2, 3, 4, 5, 6, 7>;
#else
using Lanes = Indices<0, 1, 2, 3>;
#endif

/// 0, 1, 2, ..
template <int... I>
ATTN_INLINE Integers lane_numbers(Indices<I...> /*lanes*/) {
    return Integers{I...};
}

/// Every lane trades places with the one kStep beside it.
template <int kStep, int... I>
ATTN_INLINE Vector swap_lanes(Vector x, Indices<I...> /*lanes*/) {
    return __builtin_shufflevector(x, x, (I ^ kStep)...);
}

ATTN_INLINE float largest_of(Vector x) {
    if constexpr (kLanes > 8) x = larger(x, swap_lanes<kLanes / 2>(x, Lanes{}));
    if constexpr (kLanes > 4) x = larger(x, swap_lanes<4>(x, Lanes{}));
    x = larger(x, swap_lanes<2>(x, Lanes{}));
    return larger(x, swap_lanes<1>(x, Lanes{}))[0];
}

ATTN_INLINE float sum_of(Vector x) {
    if constexpr (kLanes > 8) x += swap_lanes<kLanes / 2>(x, Lanes{});
    if constexpr (kLanes > 4) x += swap_lanes<4>(x, Lanes{});
    x += swap_lanes<2>(x, Lanes{});
    return (x + swap_lanes<1>(x, Lanes{}))[0];
}

/// While it lives, results below 2^-126 are 0: the arithmetic of numbers between is a hundred times as slow.
class FlushToZero {
  public:
#if defined(__SSE__)
    ATTN_INLINE FlushToZero() : before_(__builtin_ia32_stmxcsr()) {
        constexpr unsigned kFlush = 0x8000;
        __builtin_ia32_ldmxcsr(before_ | kFlush);
    }
    ATTN_INLINE ~FlushToZero() {
        __builtin_ia32_ldmxcsr(before_);
    }
#else
    ATTN_INLINE FlushToZero() {}
    ATTN_INLINE ~FlushToZero() {}
#endif
    FlushToZero(const FlushToZero&) = delete;
    FlushToZero& operator=(const FlushToZero&) = delete;

  private:
    [[maybe_unused]] unsigned before_ = 0;
};

constexpr int round_up(int count, int multiple) {
    return (count + multiple - 1) / multiple * multiple;
}

constexpr int smaller(int a, int b) {
    return a < b ? a : b;
}

}  // namespace
}  // namespace attn::fast::ATTN_VECTOR_UNIT
