#pragma once
/// The emulator's cuda_fp8.h: numbers of 8 bits with 4 or 5 bits of exponent, and conversions from and to them. They have no
/// arithmetic, on a GPU either.

#include <type_traits>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "attn_fp8.h"

using __nv_fp8_storage_t = unsigned char;
using __nv_fp8x2_storage_t = unsigned short;
using __nv_fp8x4_storage_t = unsigned;

namespace attn::emulator {

template <class T>
double wide(T value) {
    if constexpr (std::is_arithmetic_v<T>)
        return static_cast<double>(value);
    else
        return static_cast<double>(static_cast<float>(value));
}

template <__nv_fp8_interpretation_t kKind>
struct Fp8 {
    __nv_fp8_storage_t __x;

    Fp8() = default;
    template <class T>
    explicit Fp8(T value) : __x(to_fp8(wide(value), __NV_SATFINITE, kKind)) {}
    explicit operator float() const { return static_cast<float>(from_fp8(__x, kKind)); }
    explicit operator double() const { return from_fp8(__x, kKind); }
    explicit operator __half() const { return __half(from_fp8(__x, kKind)); }
    explicit operator __nv_bfloat16() const { return __nv_bfloat16(from_fp8(__x, kKind)); }
    explicit operator int() const { return static_cast<int>(from_fp8(__x, kKind)); }
    explicit operator bool() const { return (__x & 0x7f) != 0; }
};

/// Two or four such numbers.
template <__nv_fp8_interpretation_t kKind, class Storage, int kCount>
struct Fp8s {
    Storage __x;

    Fp8s() = default;
    explicit Fp8s(float2 value) : __x(0) { set(value.x, value.y); }
    explicit Fp8s(float4 value) : __x(0) { set(value.x, value.y, value.z, value.w); }
    explicit Fp8s(__half2 value) : __x(0) { set(value.x.wide(), value.y.wide()); }
    explicit Fp8s(__nv_bfloat162 value) : __x(0) { set(value.x.wide(), value.y.wide()); }
    explicit operator float2() const { return make_float2(at(0), at(1)); }
    explicit operator float4() const { return make_float4(at(0), at(1), at(2), at(3)); }
    explicit operator __half2() const { return {__half(at(0)), __half(at(1))}; }

  private:
    template <class... Values>
    void set(Values... values) {
        static_assert(sizeof...(values) == kCount);
        int shift = 0;
        ((__x = static_cast<Storage>(__x | static_cast<Storage>(to_fp8(values, __NV_SATFINITE, kKind))
                                               << shift),
          shift += 8),
         ...);
    }
    float at(int k) const {
        return static_cast<float>(from_fp8(static_cast<unsigned char>(__x >> (8 * k)), kKind));
    }
};

}  // namespace attn::emulator

using __nv_fp8_e4m3 = attn::emulator::Fp8<__NV_E4M3>;
using __nv_fp8_e5m2 = attn::emulator::Fp8<__NV_E5M2>;
using __nv_fp8x2_e4m3 = attn::emulator::Fp8s<__NV_E4M3, __nv_fp8x2_storage_t, 2>;
using __nv_fp8x2_e5m2 = attn::emulator::Fp8s<__NV_E5M2, __nv_fp8x2_storage_t, 2>;
using __nv_fp8x4_e4m3 = attn::emulator::Fp8s<__NV_E4M3, __nv_fp8x4_storage_t, 4>;
using __nv_fp8x4_e5m2 = attn::emulator::Fp8s<__NV_E5M2, __nv_fp8x4_storage_t, 4>;

inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double value, __nv_saturation_t saturation,
                                                 __nv_fp8_interpretation_t kind) {
    return attn::emulator::to_fp8(value, saturation, kind);
}
inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float value, __nv_saturation_t saturation,
                                                __nv_fp8_interpretation_t kind) {
    return attn::emulator::to_fp8(value, saturation, kind);
}
inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half value, __nv_saturation_t saturation,
                                                  __nv_fp8_interpretation_t kind) {
    return attn::emulator::to_fp8(value.wide(), saturation, kind);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16 value, __nv_saturation_t saturation,
                                                      __nv_fp8_interpretation_t kind) {
    return attn::emulator::to_fp8(value.wide(), saturation, kind);
}
inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 value, __nv_saturation_t saturation,
                                                     __nv_fp8_interpretation_t kind) {
    return static_cast<__nv_fp8x2_storage_t>(attn::emulator::to_fp8(value.x, saturation, kind) |
                                             attn::emulator::to_fp8(value.y, saturation, kind) << 8);
}
inline __half __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t kind) {
    return __half(attn::emulator::from_fp8(bits, kind));
}
inline __half2 __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t bits, __nv_fp8_interpretation_t kind) {
    return {__nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(bits & 0xff), kind),
            __nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(bits >> 8), kind)};
}
