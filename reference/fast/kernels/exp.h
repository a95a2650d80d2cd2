#pragma once
/// The exponential function of a vector. Errors are tested over all floats in ../exponential_test.cpp.
/// Coefficients: minimax in the relative error, the constant one held at 1 so that exp(0) is exactly 1.

#include "reference/fast/kernels/vector.h"

namespace attn::fast::ATTN_VECTOR_UNIT {
namespace {

/// p 2^n for whole numbers n, where that is a normal number; else something, which is no overflow.
ATTN_INLINE Vector times_power_of_2(Vector p, Vector n) {
    Bits bits;
    __builtin_memcpy(&bits, &p, sizeof bits);
    bits += reinterpret_cast<Bits>(__builtin_convertvector(n, Integers)) << 23;
    Vector x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

/// The nearest whole number, for |x| < 2^22; -infinity stays.
ATTN_INLINE Vector nearest(Vector x) {
#if defined(__AVX512F__)
    return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#elif defined(__AVX2__)
    return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#else
    // Adding 1.5 * 2^23 leaves no room for a fraction.
    return (x + all(12582912)) - all(12582912);
#endif
}

/// 2^x, also for -infinity: what attention needs, whose scores carry the factor log2(e). Above 127 it is some
/// number of 2^127 or more.
ATTN_INLINE Vector exp2_of(Vector x) {
#if defined(__AVX512F__)
    // scalef rounds its exponent down, so the fraction from below, in [0, 1], saves computing x - fraction.
    const Vector r = _mm512_reduce_ps(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
    Vector p = all(0x1.e974fep-10F);
    p = p * r + all(0x1.277854p-7F);
    p = p * r + all(0x1.c91ce6p-5F);
    p = p * r + all(0x1.ebdb56p-3F);
    p = p * r + all(0x1.62e4bap-1F);
    p = p * r + all(1);
    return _mm512_scalef_ps(p, x);
#else
    const Vector held = -larger(all(-127), -larger(all(-127), x));  // of infinity there is no fraction
    const Vector n = nearest(held), r = held - n;
    Vector p = all(0x1.5bba14p-10F);
    p = p * r + all(0x1.3cea88p-7F);
    p = p * r + all(0x1.c6b752p-5F);
    p = p * r + all(0x1.ebf9bcp-3F);
    p = p * r + all(0x1.62e42ap-1F);
    p = p * r + all(1);
    return x < all(-126) ? Vector{} : times_power_of_2(p, n);
#endif
}

/// e^x; infinity where that is above the largest float, 0 where it is below 2^-126.
ATTN_INLINE Vector exp_of(Vector x) {
    const Vector minus_x = larger(all(-100), -larger(all(-100), x));
    const Vector n = nearest(minus_x * all(-0x1.715476p0F));
    // ln 2 in two pieces, the first so short that n times it is exact.
    Vector r = -minus_x - n * all(0x1.62e4p-1F);
    r = r - n * all(0x1.7f7d1cp-20F);
    Vector p = all(0x1.6a2448p-10F);
    p = p * r + all(0x1.1239d6p-7F);
    p = p * r + all(0x1.5558f2p-5F);
    p = p * r + all(0x1.555492p-3F);
    p = p * r + all(0x1.fffffcp-2F);
    p = p * r + all(1);
    p = p * r + all(1);
    // Two factors, for neither 2^128 nor p 2^-127 is a normal number.
    const Vector half = nearest(n * all(0.5F));
    const Vector y = times_power_of_2(times_power_of_2(p, n - half), half);
    return x < all(-0x1.5d589ep6F) ? Vector{} : x > all(0x1.62e42ep6F) ? all(kInfinity) : y;
}

}  // namespace
}  // namespace attn::fast::ATTN_VECTOR_UNIT
