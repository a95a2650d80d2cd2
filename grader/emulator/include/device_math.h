#pragma once
/// The arithmetic that CUDA adds to the C library: fast intrinsics (as exact here as the C library's
/// functions), conversions, casts, min and max.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <math.h>

#include "builtins.h"

// CUDA overloads exactly these mixtures of types. A template would also catch calls of std::min.
#define ATTN_EMULATOR_MIN_MAX(A, B, R)                                                        \
    __forceinline__ R min(A a, B b) {                                                         \
        return static_cast<R>(a) < static_cast<R>(b) ? static_cast<R>(a) : static_cast<R>(b); \
    }                                                                                         \
    __forceinline__ R max(A a, B b) {                                                         \
        return static_cast<R>(a) > static_cast<R>(b) ? static_cast<R>(a) : static_cast<R>(b); \
    }
ATTN_EMULATOR_MIN_MAX(int, int, int)
ATTN_EMULATOR_MIN_MAX(unsigned, unsigned, unsigned)
ATTN_EMULATOR_MIN_MAX(int, unsigned, unsigned)
ATTN_EMULATOR_MIN_MAX(unsigned, int, unsigned)
ATTN_EMULATOR_MIN_MAX(long, long, long)
ATTN_EMULATOR_MIN_MAX(unsigned long, unsigned long, unsigned long)
ATTN_EMULATOR_MIN_MAX(long, unsigned long, unsigned long)
ATTN_EMULATOR_MIN_MAX(unsigned long, long, unsigned long)
ATTN_EMULATOR_MIN_MAX(long long, long long, long long)
ATTN_EMULATOR_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
ATTN_EMULATOR_MIN_MAX(long long, unsigned long long, unsigned long long)
ATTN_EMULATOR_MIN_MAX(unsigned long long, long long, unsigned long long)
#undef ATTN_EMULATOR_MIN_MAX
// Of a number and NaN the result is the number, as on the device.
__forceinline__ float min(float a, float b) {
    return fminf(a, b);
}
__forceinline__ float max(float a, float b) {
    return fmaxf(a, b);
}
__forceinline__ double min(double a, double b) {
    return fmin(a, b);
}
__forceinline__ double max(double a, double b) {
    return fmax(a, b);
}
__forceinline__ double min(float a, double b) {
    return fmin(a, b);
}
__forceinline__ double max(float a, double b) {
    return fmax(a, b);
}
__forceinline__ double min(double a, float b) {
    return fmin(a, b);
}
__forceinline__ double max(double a, float b) {
    return fmax(a, b);
}

__forceinline__ float rsqrtf(float x) {
    return 1.0f / sqrtf(x);
}
__forceinline__ double rsqrt(double x) {
    return 1.0 / sqrt(x);
}
__forceinline__ float rsqrt(float x) {
    return rsqrtf(x);
}
__forceinline__ float rcbrtf(float x) {
    return 1.0f / cbrtf(x);
}
__forceinline__ float rhypotf(float x, float y) {
    return 1.0f / hypotf(x, y);
}
__forceinline__ float norm3df(float x, float y, float z) {
    return sqrtf(x * x + y * y + z * z);
}
__forceinline__ float norm4df(float x, float y, float z, float w) {
    return sqrtf(x * x + y * y + z * z + w * w);
}
__forceinline__ float __saturatef(float x) {
    return fminf(fmaxf(x, 0.0f), 1.0f);
}

__forceinline__ float __expf(float x) {
    return expf(x);
}
__forceinline__ float __exp10f(float x) {
    return powf(10.0f, x);
}
__forceinline__ float __logf(float x) {
    return logf(x);
}
__forceinline__ float __log2f(float x) {
    return log2f(x);
}
__forceinline__ float __log10f(float x) {
    return log10f(x);
}
__forceinline__ float __powf(float x, float y) {
    return powf(x, y);
}
__forceinline__ float __sinf(float x) {
    return sinf(x);
}
__forceinline__ float __cosf(float x) {
    return cosf(x);
}
__forceinline__ float __tanf(float x) {
    return tanf(x);
}
__forceinline__ float __tanhf(float x) {
    return tanhf(x);
}
__forceinline__ void __sincosf(float x, float* sine, float* cosine) {
    *sine = sinf(x);
    *cosine = cosf(x);
}
__forceinline__ float __fdividef(float x, float y) {
    return x / y;
}
__forceinline__ float fdividef(float x, float y) {
    return x / y;
}
__forceinline__ float __fadd_rn(float x, float y) {
    return x + y;
}
__forceinline__ float __fsub_rn(float x, float y) {
    return x - y;
}
__forceinline__ float __fmul_rn(float x, float y) {
    return x * y;
}
__forceinline__ float __fdiv_rn(float x, float y) {
    return x / y;
}
__forceinline__ float __fmaf_rn(float x, float y, float z) {
    return fmaf(x, y, z);
}
__forceinline__ float __frcp_rn(float x) {
    return 1.0f / x;
}
__forceinline__ float __fsqrt_rn(float x) {
    return sqrtf(x);
}
__forceinline__ float __frsqrt_rn(float x) {
    return 1.0f / sqrtf(x);
}
__forceinline__ double __dadd_rn(double x, double y) {
    return x + y;
}
__forceinline__ double __dsub_rn(double x, double y) {
    return x - y;
}
__forceinline__ double __dmul_rn(double x, double y) {
    return x * y;
}
__forceinline__ double __ddiv_rn(double x, double y) {
    return x / y;
}
__forceinline__ double __fma_rn(double x, double y, double z) {
    return fma(x, y, z);
}
__forceinline__ double __drcp_rn(double x) {
    return 1.0 / x;
}
__forceinline__ double __dsqrt_rn(double x) {
    return sqrt(x);
}

// NaN becomes 0 and a number that is too large becomes the largest one, as on the device. C++ leaves both
// undefined.
namespace attn::emulator::detail {

template <class I, class F>
constexpr I to_integer(F whole) {
    if (!(whole == whole)) return 0;
    constexpr F kUpper =
        static_cast<F>(std::is_signed_v<I> ? 1ULL << (8 * sizeof(I) - 1) : 1ULL << (8 * sizeof(I) - 1)) *
        (std::is_signed_v<I> ? F(1) : F(2));
    constexpr I kLargest = static_cast<I>(~I(0)) < I(0) ? static_cast<I>((1ULL << (8 * sizeof(I) - 1)) - 1)
                                                        : static_cast<I>(~I(0));
    if (whole >= kUpper) return kLargest;
    if constexpr (std::is_signed_v<I>) {
        if (whole < -kUpper) return static_cast<I>(-kLargest - 1);
    } else {
        if (whole < 0) return 0;
    }
    return static_cast<I>(whole);
}

}  // namespace attn::emulator::detail

// Four rounding modes for each pair of types.
#define ATTN_EMULATOR_ROUND(from, F, to, I)                         \
    __forceinline__ I __##from##2##to##_rn(F x) {                   \
        return attn::emulator::detail::to_integer<I>(nearbyint(x)); \
    }                                                               \
    __forceinline__ I __##from##2##to##_rz(F x) {                   \
        return attn::emulator::detail::to_integer<I>(trunc(x));     \
    }                                                               \
    __forceinline__ I __##from##2##to##_ru(F x) {                   \
        return attn::emulator::detail::to_integer<I>(ceil(x));      \
    }                                                               \
    __forceinline__ I __##from##2##to##_rd(F x) {                   \
        return attn::emulator::detail::to_integer<I>(floor(x));     \
    }
ATTN_EMULATOR_ROUND(float, float, int, int)
ATTN_EMULATOR_ROUND(float, float, uint, unsigned)
ATTN_EMULATOR_ROUND(float, float, ll, long long)
ATTN_EMULATOR_ROUND(float, float, ull, unsigned long long)
ATTN_EMULATOR_ROUND(double, double, int, int)
ATTN_EMULATOR_ROUND(double, double, uint, unsigned)
ATTN_EMULATOR_ROUND(double, double, ll, long long)
ATTN_EMULATOR_ROUND(double, double, ull, unsigned long long)
#undef ATTN_EMULATOR_ROUND
__forceinline__ float __int2float_rn(int x) {
    return static_cast<float>(x);
}
__forceinline__ float __uint2float_rn(unsigned x) {
    return static_cast<float>(x);
}
__forceinline__ float __ll2float_rn(long long x) {
    return static_cast<float>(x);
}
__forceinline__ float __ull2float_rn(unsigned long long x) {
    return static_cast<float>(x);
}
__forceinline__ double __int2double_rn(int x) {
    return x;
}
__forceinline__ double __uint2double_rn(unsigned x) {
    return x;
}
__forceinline__ double __ll2double_rn(long long x) {
    return static_cast<double>(x);
}
__forceinline__ float __double2float_rn(double x) {
    return static_cast<float>(x);
}

__forceinline__ int __float_as_int(float x) {
    return std::bit_cast<int>(x);
}
__forceinline__ unsigned __float_as_uint(float x) {
    return std::bit_cast<unsigned>(x);
}
__forceinline__ float __int_as_float(int x) {
    return std::bit_cast<float>(x);
}
__forceinline__ float __uint_as_float(unsigned x) {
    return std::bit_cast<float>(x);
}
__forceinline__ long long __double_as_longlong(double x) {
    return std::bit_cast<long long>(x);
}
__forceinline__ double __longlong_as_double(long long x) {
    return std::bit_cast<double>(x);
}
__forceinline__ int __double2hiint(double x) {
    return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 32);
}
__forceinline__ int __double2loint(double x) {
    return static_cast<int>(std::bit_cast<std::uint64_t>(x));
}
__forceinline__ double __hiloint2double(int high, int low) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<unsigned>(high)) << 32 |
                                 static_cast<unsigned>(low));
}
