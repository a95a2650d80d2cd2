#pragma once
/// CUDA's functions for probabilities and angles that the C library lacks, and sums and products that are
/// rounded in one direction.

#include <cmath>
#include <limits>

#include <math.h>

#include "builtins.h"

namespace attn::emulator::detail {

constexpr double kPi = 3.14159265358979323846, kSqrt2 = 1.41421356237309504880;

/// The x with erfc(x) = y, by Newton's method from a first guess of Winitzki ("A handy approximation for the
/// error function and its inverse", 2008).
inline double inverse_erfc(double y) {
    if (!(y >= 0 && y <= 2)) return std::numeric_limits<double>::quiet_NaN();
    if (y == 0 || y == 2) return y == 0 ? HUGE_VAL : -HUGE_VAL;
    const double tail = y < 1 ? y : 2 - y;  // x >= 0 for the tail
    constexpr double kA = 0.147;
    const double l = log(tail * (2 - tail)), half = 2 / (kPi * kA) + l / 2;
    double x = sqrt(fmax(0.0, sqrt(half * half - l / kA) - half));
    for (int step = 0; step < 6; ++step) {
        const double slope = -2 / sqrt(kPi) * exp(-x * x);
        if (slope == 0) break;
        x -= (erfc(x) - tail) / slope;
    }
    return y < 1 ? x : -x;
}

/// The x with erf(x) = y. Near 0, 1 - y has lost digits of y, so there it is Newton's method for erf.
inline double inverse_erf(double y) {
    if (!(fabs(y) < 0.5)) return inverse_erfc(1 - y);
    double x = sqrt(kPi) / 2 * y;
    for (int step = 0; step < 6; ++step) x -= (erf(x) - y) * sqrt(kPi) / 2 * exp(x * x);
    return x;
}

/// exp(x^2) erfc(x), without overflow: by the continued fraction of erfc from x = 5 on.
inline double scaled_erfc(double x) {
    if (x < 5) return exp(x * x) * erfc(x);
    double rest = 0;
    for (int k = 60; k > 0; --k) rest = k / 2.0 / (x + rest);
    return 1 / sqrt(kPi) / (x + rest);
}

/// sin(pi x) and cos(pi x); exact where x is a multiple of 1/2.
inline double sine_of_pi(double x) {
    const double turn = remainder(x, 2.0);  // -1 .. 1
    if (turn == 0 || fabs(turn) == 1) return copysign(0.0, x);
    return fabs(turn) == 0.5 ? 2 * turn : sin(kPi * turn);
}
inline double cosine_of_pi(double x) {
    const double turn = fabs(remainder(x, 2.0));
    return turn == 0.5 ? 0.0 : cos(kPi * turn);
}

/// The nearest float to high + low that is not above (`up` false) or not below it (`up` true).
inline float rounded(double high, double low, bool up) {
    const float nearest = static_cast<float>(high);
    const double beyond = static_cast<double>(nearest) - high;
    const bool above = beyond > 0 || (beyond == 0 && low < 0), below = beyond < 0 || (beyond == 0 && low > 0);
    if (up && below) return nextafterf(nearest, HUGE_VALF);
    if (!up && above) return nextafterf(nearest, -HUGE_VALF);
    return nearest;
}

/// x + y rounded upwards or downwards. For two floats, or a product of two floats and a float, the sum of
/// doubles and its error hold the exact value (Knuth's TwoSum).
inline float sum_rounded(double x, double y, bool up) {
    const double sum = x + y, part = sum - x;
    return rounded(sum, (x - (sum - part)) + (y - part), up);
}

}  // namespace attn::emulator::detail

__forceinline__ double erfcinv(double y) {
    return attn::emulator::detail::inverse_erfc(y);
}
__forceinline__ double erfinv(double y) {
    return attn::emulator::detail::inverse_erf(y);
}
__forceinline__ double erfcx(double x) {
    return attn::emulator::detail::scaled_erfc(x);
}
__forceinline__ double normcdf(double x) {
    return 0.5 * erfc(-x / attn::emulator::detail::kSqrt2);
}
__forceinline__ double normcdfinv(double y) {
    return -attn::emulator::detail::kSqrt2 * erfcinv(2 * y);
}
__forceinline__ double sinpi(double x) {
    return attn::emulator::detail::sine_of_pi(x);
}
__forceinline__ double cospi(double x) {
    return attn::emulator::detail::cosine_of_pi(x);
}
__forceinline__ double cyl_bessel_i0(double x) {
    return std::cyl_bessel_i(0.0, fabs(x));
}
__forceinline__ double cyl_bessel_i1(double x) {
    return copysign(std::cyl_bessel_i(1.0, fabs(x)), x);
}
__forceinline__ double rnorm3d(double x, double y, double z) {
    return 1 / sqrt(x * x + y * y + z * z);
}
// The same in float, computed in double.
#define ATTN_EMULATOR_IN_FLOAT(NAME)                             \
    __forceinline__ float NAME##f(float x) {                     \
        return static_cast<float>(NAME(static_cast<double>(x))); \
    }
ATTN_EMULATOR_IN_FLOAT(erfcinv)
ATTN_EMULATOR_IN_FLOAT(erfinv)
ATTN_EMULATOR_IN_FLOAT(erfcx)
ATTN_EMULATOR_IN_FLOAT(normcdf)
ATTN_EMULATOR_IN_FLOAT(normcdfinv)
ATTN_EMULATOR_IN_FLOAT(sinpi)
ATTN_EMULATOR_IN_FLOAT(cospi)
ATTN_EMULATOR_IN_FLOAT(cyl_bessel_i0)
ATTN_EMULATOR_IN_FLOAT(cyl_bessel_i1)
#undef ATTN_EMULATOR_IN_FLOAT
__forceinline__ float rnorm3df(float x, float y, float z) {
    return static_cast<float>(rnorm3d(x, y, z));
}
__forceinline__ float rnorm4df(float x, float y, float z, float w) {
    return 1.0f / sqrtf(x * x + y * y + z * z + w * w);
}
__forceinline__ void sincospif(float x, float* sine, float* cosine) {
    *sine = sinpif(x);
    *cosine = cospif(x);
}
__forceinline__ void sincospi(double x, double* sine, double* cosine) {
    *sine = sinpi(x);
    *cosine = cospi(x);
}

// Rounded up (ru), down (rd) and towards zero (rz).
#define ATTN_EMULATOR_ROUNDED(SUFFIX, UP)                                                             \
    __forceinline__ float __fadd_##SUFFIX(float x, float y) {                                         \
        const bool up = UP(static_cast<double>(x) + static_cast<double>(y));                          \
        return attn::emulator::detail::sum_rounded(x, y, up);                                         \
    }                                                                                                 \
    __forceinline__ float __fsub_##SUFFIX(float x, float y) {                                         \
        return __fadd_##SUFFIX(x, -y);                                                                \
    }                                                                                                 \
    __forceinline__ float __fmaf_##SUFFIX(float x, float y, float z) {                                \
        const double product = static_cast<double>(x) * static_cast<double>(y);                       \
        return attn::emulator::detail::sum_rounded(product, z, UP(product + static_cast<double>(z))); \
    }                                                                                                 \
    __forceinline__ float __fmul_##SUFFIX(float x, float y) {                                         \
        return __fmaf_##SUFFIX(x, y, 0.0f);                                                           \
    }
#define ATTN_EMULATOR_UP(value) true
#define ATTN_EMULATOR_DOWN(value) false
#define ATTN_EMULATOR_TOWARDS_ZERO(value) ((value) < 0)
ATTN_EMULATOR_ROUNDED(ru, ATTN_EMULATOR_UP)
ATTN_EMULATOR_ROUNDED(rd, ATTN_EMULATOR_DOWN)
ATTN_EMULATOR_ROUNDED(rz, ATTN_EMULATOR_TOWARDS_ZERO)
#undef ATTN_EMULATOR_ROUNDED
#undef ATTN_EMULATOR_UP
#undef ATTN_EMULATOR_DOWN
#undef ATTN_EMULATOR_TOWARDS_ZERO
