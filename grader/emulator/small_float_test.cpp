// 16-bit numbers: every bit pattern is converted to a value and back, and the hard cases of rounding are
// checked.

#include <cmath>
#include <limits>

#include <boost/test/unit_test.hpp>

#include "grader/emulator/include/attn_fp8.h"
#include "grader/emulator/include/attn_small_float.h"

namespace attn::emulator {
namespace {

BOOST_AUTO_TEST_SUITE(small_float)

using Half = SmallFloat<5, 10>;
using Bfloat16 = SmallFloat<8, 7>;

/// The value of a pattern, by the definition of the format.
template <int kExponentBits, int kFractionBits>
double meaning(unsigned pattern) {
    const int bias = (1 << (kExponentBits - 1)) - 1, largest = (1 << kExponentBits) - 1;
    const int exponent = static_cast<int>(pattern >> kFractionBits) & largest;
    const int fraction = static_cast<int>(pattern & ((1u << kFractionBits) - 1));
    const double sign = pattern >> 15 != 0 ? -1 : 1;
    if (exponent == largest) return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
    if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - kFractionBits);
    return sign * std::ldexp(fraction + (1 << kFractionBits), exponent - bias - kFractionBits);
}

template <int kExponentBits, int kFractionBits>
void check_all_patterns() {
    using Number = SmallFloat<kExponentBits, kFractionBits>;
    int wrong = 0;
    for (unsigned pattern = 0; pattern < 65536; ++pattern) {
        const Number number = Number::from_bits(static_cast<std::uint16_t>(pattern));
        const double value = meaning<kExponentBits, kFractionBits>(pattern);
        const Number from_float(number.wide()), from_double(value);
        if (std::isnan(value))
            wrong += !std::isnan(number.wide()) || !from_float.is_nan() || !from_double.is_nan();
        else
            wrong += static_cast<double>(number.wide()) != value || from_float.bits() != pattern ||
                     from_double.bits() != pattern;
    }
    BOOST_TEST(wrong == 0);
}

/// A value halfway between two neighbours is rounded to the even one; any other value to the nearer one.
template <int kExponentBits, int kFractionBits>
void check_rounding() {
    using Number = SmallFloat<kExponentBits, kFractionBits>;
    const unsigned infinity = ((1u << kExponentBits) - 1) << kFractionBits;
    int wrong = 0;
    for (unsigned low = 0; low + 1 < infinity; ++low) {
        const double a = meaning<kExponentBits, kFractionBits>(low),
                     b = meaning<kExponentBits, kFractionBits>(low + 1);
        const double middle = (a + b) / 2;  // exact
        const unsigned even = low % 2 == 0 ? low : low + 1;
        for (const double sign : {1.0, -1.0}) {
            const unsigned bit = sign < 0 ? 0x8000u : 0;
            wrong += Number(sign * middle).bits() != (even | bit);
            wrong += Number(sign * std::nextafter(middle, 0.0)).bits() != (low | bit);
            wrong += Number(sign * std::nextafter(middle, HUGE_VAL)).bits() != ((low + 1) | bit);
            const float narrow = static_cast<float>(middle);
            if (static_cast<double>(narrow) == middle)
                wrong += Number(static_cast<float>(sign) * narrow).bits() != (even | bit);
        }
    }
    BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(every_pattern_has_its_value_and_comes_back) {
    check_all_patterns<5, 10>();
    check_all_patterns<8, 7>();
}

BOOST_AUTO_TEST_CASE(every_value_between_two_numbers_becomes_the_nearer_one) {
    check_rounding<5, 10>();
    check_rounding<8, 7>();
}

BOOST_AUTO_TEST_CASE(known_values) {
    BOOST_TEST(Half(1.0f).bits() == 0x3c00);
    BOOST_TEST(Half(-2.0f).bits() == 0xc000);
    BOOST_TEST(Half(0.1f).bits() == 0x2e66);
    BOOST_TEST(Half(65504.0f).bits() == 0x7bff);
    BOOST_TEST(Half(65519.996f).bits() == 0x7bff);
    BOOST_TEST(Half(65520.0f).bits() == 0x7c00);
    BOOST_TEST(Half(5.9604645e-8f).bits() == 0x0001);
    BOOST_TEST(Half(2.9802322e-8f).bits() == 0x0000);
    BOOST_TEST(Half(-0.0f).bits() == 0x8000);
    BOOST_TEST(Half(std::numeric_limits<float>::quiet_NaN()).bits() == 0x7fff);
    BOOST_TEST(Half(-std::numeric_limits<float>::infinity()).bits() == 0xfc00);
    BOOST_TEST(Bfloat16(1.0f).bits() == 0x3f80);
    BOOST_TEST(Bfloat16(0.1f).bits() == 0x3dcd);
    BOOST_TEST(Bfloat16(3.4e38f).bits() == 0x7f80);
    BOOST_TEST(Bfloat16(1e-40f).bits() == 0x0001);
}

BOOST_AUTO_TEST_CASE(sums_and_products_are_rounded_once) {
    // 2049 cannot be represented in half precision, so the sum is rounded to even.
    BOOST_TEST((Half(2048.0f) + Half(1.0f)).wide() == 2048);
    BOOST_TEST((Half(2048.0f) + Half(3.0f)).wide() == 2052);
    // The product is halfway between two numbers. c decides, although it is too small to change the sum in
    // double.
    const Bfloat16 a = 1.0078125f, tiny = std::ldexp(1.0f, -100);
    BOOST_TEST(Bfloat16::multiply_add(a, 1.5f, 0.0f).wide() == 1.515625f);
    BOOST_TEST(Bfloat16::multiply_add(a, 1.5f, tiny).wide() == 1.515625f);
    BOOST_TEST(Bfloat16::multiply_add(a, 1.5f, -tiny).wide() == 1.5078125f);
    // The product alone is too large for half precision.
    BOOST_TEST(Half::multiply_add(Half(300.0f), Half(300.0f), Half(-40000.0f)).wide() == 49984);
}

BOOST_AUTO_TEST_CASE(nan_is_neither_smaller_nor_larger_than_any_number) {
    const Half nan = Half::nan(), one = 1.0f;
    BOOST_TEST(!(nan == nan));
    BOOST_TEST(nan != one);
    BOOST_TEST(!(nan < one));
    BOOST_TEST(!(one <= nan));
    BOOST_TEST(Half::smaller(nan, one).wide() == 1);
    BOOST_TEST(Half::larger(one, nan).wide() == 1);
    BOOST_TEST(Half::larger(nan, nan).is_nan());
    BOOST_TEST(Half::larger(Half(-0.0f), Half(0.0f)).bits() == 0);
}

/// The value of a pattern of 8 bits, by the definition of the formats. E4M3 has numbers where IEEE's formats have infinity.
double meaning_of_8_bits(int pattern, __nv_fp8_interpretation_t kind) {
    const bool e4m3 = kind == __NV_E4M3;
    const int fraction_bits = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15, magnitude = pattern & 0x7f;
    const int exponent = magnitude >> fraction_bits, fraction = magnitude & ((1 << fraction_bits) - 1);
    const double sign = pattern >= 0x80 ? -1 : 1;
    if (e4m3 ? magnitude == 0x7f : magnitude > 0x7c) return std::nan("");
    if (!e4m3 && magnitude == 0x7c) return sign * HUGE_VAL;
    if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
    return sign * std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
}

BOOST_AUTO_TEST_CASE(numbers_of_8_bits_keep_their_value_and_the_nearest_one_is_taken) {
    for (const auto kind : {__NV_E4M3, __NV_E5M2}) {
        const int largest = kind == __NV_E4M3 ? 0x7e : 0x7b;
        int wrong = 0;
        for (int pattern = 0; pattern < 256; ++pattern) {
            const double value = meaning_of_8_bits(pattern, kind);
            const double got = from_fp8(static_cast<unsigned char>(pattern), kind);
            if (std::isnan(value))
                wrong += !std::isnan(got) || (to_fp8(got, __NV_SATFINITE, kind) & 0x7f) != 0x7f;
            else
                wrong += got != value || to_fp8(value, __NV_NOSAT, kind) != pattern;
        }
        for (int low = 0; low < largest; ++low) {
            const double a = meaning_of_8_bits(low, kind), b = meaning_of_8_bits(low + 1, kind);
            const double middle = (a + b) / 2, small = (b - a) / 1024;
            for (const int sign : {0, 0x80}) {
                const double side = sign == 0 ? 1 : -1;
                wrong += to_fp8(side * middle, __NV_SATFINITE, kind) != sign + low + low % 2;
                wrong += to_fp8(side * (middle - small), __NV_SATFINITE, kind) != sign + low;
                wrong += to_fp8(side * (middle + small), __NV_SATFINITE, kind) != sign + low + 1;
            }
        }
        BOOST_TEST(wrong == 0);
        for (const double huge : {1e6, HUGE_VAL}) {
            BOOST_TEST(to_fp8(-huge, __NV_SATFINITE, kind) == 0x80 + largest);
            BOOST_TEST(to_fp8(huge, __NV_NOSAT, kind) == largest + 1);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::emulator
