#pragma once
/// The emulator's cuda_bf16.h: bfloat16, the upper half of a float, and pairs of them.

#include "attn_small_float_functions.h"

using __nv_bfloat16 = attn::emulator::SmallFloat<8, 7>;
using __nv_bfloat162 = attn::emulator::Pair<__nv_bfloat16>;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;
static_assert(sizeof(__nv_bfloat16) == 2 && sizeof(__nv_bfloat162) == 4);

inline __nv_bfloat16 __float2bfloat16(float value) {
    return value;
}
inline __nv_bfloat16 __float2bfloat16_rn(float value) {
    return value;
}
inline __nv_bfloat16 __double2bfloat16(double value) {
    return value;
}
inline __nv_bfloat16 __int2bfloat16_rn(int value) {
    return value;
}
inline __nv_bfloat16 __uint2bfloat16_rn(unsigned value) {
    return value;
}
inline float __bfloat162float(__nv_bfloat16 value) {
    return value.wide();
}
inline int __bfloat162int_rn(__nv_bfloat16 value) {
    return static_cast<int>(std::nearbyint(value.wide()));
}
inline int __bfloat162int_rz(__nv_bfloat16 value) {
    return static_cast<int>(value.wide());
}
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
    return __nv_bfloat16::from_bits(bits);
}
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 value) {
    return value.bits();
}

inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) {
    return {low, high};
}
inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) {
    return {low, high};
}
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 value) {
    return {value, value};
}
inline __nv_bfloat162 __float2bfloat162_rn(float value) {
    return {value, value};
}
inline __nv_bfloat162 __floats2bfloat162_rn(float low, float high) {
    return {low, high};
}
inline __nv_bfloat162 __float22bfloat162_rn(float2 value) {
    return {value.x, value.y};
}
inline float2 __bfloat1622float2(__nv_bfloat162 value) {
    return make_float2(value.x.wide(), value.y.wide());
}
inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 value) {
    return value.x;
}
inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 value) {
    return value.y;
}
inline __nv_bfloat162 __low2bfloat162(__nv_bfloat162 value) {
    return {value.x, value.x};
}
inline __nv_bfloat162 __high2bfloat162(__nv_bfloat162 value) {
    return {value.y, value.y};
}
