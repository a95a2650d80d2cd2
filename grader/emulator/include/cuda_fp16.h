#pragma once
/// The emulator's cuda_fp16.h: IEEE numbers of 16 bits (5 of them for the exponent) and pairs of them.

#include "attn_small_float_functions.h"

using __half = attn::emulator::SmallFloat<5, 10>;
using __half2 = attn::emulator::Pair<__half>;
using half = __half;
using half2 = __half2;
static_assert(sizeof(__half) == 2 && sizeof(__half2) == 4);

inline __half __float2half(float value) {
    return value;
}
inline __half __float2half_rn(float value) {
    return value;
}
inline __half __float2half_rz(float value) {
    return attn::emulator::towards_zero<__half>(value);
}
inline __half __double2half(double value) {
    return value;
}
inline __half __int2half_rn(int value) {
    return value;
}
inline __half __uint2half_rn(unsigned value) {
    return value;
}
inline __half __short2half_rn(short value) {
    return value;
}
inline float __half2float(__half value) {
    return value.wide();
}
inline int __half2int_rn(__half value) {
    return static_cast<int>(std::nearbyint(value.wide()));
}
inline int __half2int_rz(__half value) {
    return static_cast<int>(value.wide());
}
inline __half __ushort_as_half(unsigned short bits) {
    return __half::from_bits(bits);
}
inline __half __short_as_half(short bits) {
    return __half::from_bits(static_cast<unsigned short>(bits));
}
inline unsigned short __half_as_ushort(__half value) {
    return value.bits();
}
inline short __half_as_short(__half value) {
    return static_cast<short>(value.bits());
}

inline __half2 make_half2(__half low, __half high) {
    return {low, high};
}
inline __half2 __halves2half2(__half low, __half high) {
    return {low, high};
}
inline __half2 __half2half2(__half value) {
    return {value, value};
}
inline __half2 __float2half2_rn(float value) {
    return {value, value};
}
inline __half2 __floats2half2_rn(float low, float high) {
    return {low, high};
}
inline __half2 __float22half2_rn(float2 value) {
    return {value.x, value.y};
}
inline float2 __half22float2(__half2 value) {
    return make_float2(value.x.wide(), value.y.wide());
}
inline __half __low2half(__half2 value) {
    return value.x;
}
inline __half __high2half(__half2 value) {
    return value.y;
}
inline __half2 __low2half2(__half2 value) {
    return {value.x, value.x};
}
inline __half2 __high2half2(__half2 value) {
    return {value.y, value.y};
}
inline __half2 __lows2half2(__half2 a, __half2 b) {
    return {a.x, b.x};
}
inline __half2 __highs2half2(__half2 a, __half2 b) {
    return {a.y, b.y};
}
inline __half2 __lowhigh2highlow(__half2 value) {
    return {value.y, value.x};
}
