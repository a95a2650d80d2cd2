#pragma once
/// Floating-point numbers of 8 bits, for cuda_fp8.h.

#include <cmath>

enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace attn::emulator {

/// E4M3 has one NaN and no infinity, and its largest number is 448; E5M2 is as IEEE's formats, with 57344.
struct Fp8Format {
    int fraction_bits, lowest_exponent;
    double largest;
    unsigned char largest_bits,
        overflow_bits;  ///< what a number beyond the largest becomes if it is not saturated
};
constexpr Fp8Format format_of(__nv_fp8_interpretation_t kind) {
    return kind == __NV_E4M3 ? Fp8Format{3, -6, 448, 0x7e, 0x7f} : Fp8Format{2, -14, 57344, 0x7b, 0x7c};
}

/// Rounds to nearest even. NaN stays NaN, infinity becomes the largest number if it is saturated.
inline unsigned char to_fp8(double value, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) {
    const Fp8Format format = format_of(kind);
    if (value != value) return 0x7f;
    const unsigned char sign = std::signbit(value) ? 0x80 : 0;
    const double magnitude = std::fabs(value);
    int exponent = magnitude == 0 || std::isinf(magnitude) ? format.lowest_exponent : std::ilogb(magnitude);
    if (exponent < format.lowest_exponent) exponent = format.lowest_exponent;
    const double unit = std::ldexp(1.0, exponent - format.fraction_bits);
    const double rounded = std::isinf(magnitude) ? magnitude : std::nearbyint(magnitude / unit) * unit;
    if (rounded > format.largest)
        return static_cast<unsigned char>(
            sign | (saturation == __NV_SATFINITE ? format.largest_bits : format.overflow_bits));
    // The bits of the numbers of a format are in the order of the numbers: count the units below this one.
    const int step = exponent - format.lowest_exponent;
    const int units = static_cast<int>(rounded / unit);
    return static_cast<unsigned char>(sign | (units + (step << format.fraction_bits)));
}

inline double from_fp8(unsigned char bits, __nv_fp8_interpretation_t kind) {
    const Fp8Format format = format_of(kind);
    const int magnitude = bits & 0x7f, step = magnitude >> format.fraction_bits;
    const int fraction = magnitude & ((1 << format.fraction_bits) - 1);
    double value = 0;
    if (magnitude > format.largest_bits)
        value = magnitude == format.overflow_bits && kind == __NV_E5M2 ? HUGE_VAL : __builtin_nan("");
    else if (step == 0)
        value = std::ldexp(fraction, format.lowest_exponent - format.fraction_bits);
    else
        value = std::ldexp(fraction + (1 << format.fraction_bits),
                           step - 1 + format.lowest_exponent - format.fraction_bits);
    return (bits & 0x80) != 0 ? -value : value;
}

}  // namespace attn::emulator
