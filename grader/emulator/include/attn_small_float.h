#pragma once
/// Floating-point numbers of 16 bits, for cuda_fp16.h and cuda_bf16.h: one class template for both formats,
/// and pairs of such numbers. Every operation is computed in float (or exactly) and rounded once, to nearest
/// even, as on devices.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace attn::emulator {

template <class To, class From>
[[gnu::always_inline]] inline To bits_as(From value) {
    static_assert(sizeof(To) == sizeof(From));
    return __builtin_bit_cast(To, value);
}

/// The value rounded to odd: an inexact result gets an odd last bit. A second rounding then gives the same
/// result as a single one.
inline float rounded_to_odd(double value) {
    const float nearest = static_cast<float>(value);
    if (value != value || static_cast<double>(nearest) == value) return nearest;
    std::uint32_t bits = bits_as<std::uint32_t>(nearest);
    if (std::fabs(static_cast<double>(nearest)) > std::fabs(value)) --bits;
    return bits_as<float>(bits | 1u);
}

/// a b + c, rounded to odd. a b has to be exact in double.
inline double multiply_add_to_odd(double a, double b, double c) {
    const double product = a * b, sum = product + c;
    const double rest_of_c = sum - product, lost = (product - (sum - rest_of_c)) + (c - rest_of_c);
    std::uint64_t bits = bits_as<std::uint64_t>(sum);
    if (!std::isfinite(sum) || lost == 0 || (bits & 1u)) return sum;
    return bits_as<double>((lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

/// The value without the bits for which a format has no room.
template <class T>
inline T towards_zero(float value) {
    const T nearest(value);
    const bool away = std::fabs(nearest.wide()) > std::fabs(value);
    return away ? T::from_bits(static_cast<std::uint16_t>(nearest.bits() - 1)) : nearest;
}

/// A number with one sign bit, `kExponentBits` and `kFractionBits`. It starts uninitialised, so that arrays
/// of it in shared memory need no constructor.
template <int kExponentBits, int kFractionBits>
struct SmallFloat {
    static_assert(1 + kExponentBits + kFractionBits == 16);
    static constexpr int kDropped = 23 - kFractionBits;
    static constexpr std::uint32_t kBias = (1u << (kExponentBits - 1)) - 1;
    static constexpr std::uint32_t kRebias = (127u - kBias) << 23;
    static constexpr std::uint32_t kInfinity = ((1u << kExponentBits) - 1) << kFractionBits;
    static constexpr std::uint16_t kNaN = 0x7fff;
    /// The float whose last bit is worth this format's smallest number.
    static constexpr std::uint32_t kSubnormalUnit = (127u - kBias + 1 + kDropped) << 23;

    std::uint16_t pattern;

    SmallFloat() = default;
    [[gnu::always_inline]] SmallFloat(float value) : pattern(rounded(value)) {}
    [[gnu::always_inline]] SmallFloat(double value) : pattern(rounded(rounded_to_odd(value))) {}
    template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
    [[gnu::always_inline]] SmallFloat(Integer value) : SmallFloat(static_cast<double>(value)) {}
    template <int kOtherExponent, int kOtherFraction>
    [[gnu::always_inline]] explicit SmallFloat(SmallFloat<kOtherExponent, kOtherFraction> value)
        : SmallFloat(static_cast<float>(value)) {}

    [[gnu::always_inline]] static SmallFloat from_bits(std::uint16_t bits) {
        SmallFloat result;
        result.pattern = bits;
        return result;
    }
    [[gnu::always_inline]] std::uint16_t bits() const { return pattern; }
    [[gnu::always_inline]] operator float() const { return widened(pattern); }

    [[gnu::always_inline]] SmallFloat& operator+=(SmallFloat other) { return *this = *this + other; }
    [[gnu::always_inline]] SmallFloat& operator-=(SmallFloat other) { return *this = *this - other; }
    [[gnu::always_inline]] SmallFloat& operator*=(SmallFloat other) { return *this = *this * other; }
    [[gnu::always_inline]] SmallFloat& operator/=(SmallFloat other) { return *this = *this / other; }
    [[gnu::always_inline]] SmallFloat& operator++() { return *this += SmallFloat(1.0f); }
    [[gnu::always_inline]] SmallFloat& operator--() { return *this -= SmallFloat(1.0f); }

    friend SmallFloat operator+(SmallFloat a) { return a; }
    friend SmallFloat operator-(SmallFloat a) {
        return from_bits(static_cast<std::uint16_t>(a.pattern ^ 0x8000u));
    }
    friend SmallFloat operator+(SmallFloat a, SmallFloat b) { return a.wide() + b.wide(); }
    friend SmallFloat operator-(SmallFloat a, SmallFloat b) { return a.wide() - b.wide(); }
    friend SmallFloat operator*(SmallFloat a, SmallFloat b) { return a.wide() * b.wide(); }
    friend SmallFloat operator/(SmallFloat a, SmallFloat b) { return a.wide() / b.wide(); }
    friend bool operator==(SmallFloat a, SmallFloat b) { return a.wide() == b.wide(); }
    friend bool operator!=(SmallFloat a, SmallFloat b) { return a.wide() != b.wide(); }
    friend bool operator<(SmallFloat a, SmallFloat b) { return a.wide() < b.wide(); }
    friend bool operator<=(SmallFloat a, SmallFloat b) { return a.wide() <= b.wide(); }
    friend bool operator>(SmallFloat a, SmallFloat b) { return a.wide() > b.wide(); }
    friend bool operator>=(SmallFloat a, SmallFloat b) { return a.wide() >= b.wide(); }

    [[gnu::always_inline]] float wide() const { return widened(pattern); }
    bool is_nan() const { return (pattern & 0x7fffu) > kInfinity; }
    bool is_infinite() const { return (pattern & 0x7fffu) == kInfinity; }

    /// a b + c, rounded once.
    static SmallFloat multiply_add(SmallFloat a, SmallFloat b, SmallFloat c) {
        return SmallFloat(multiply_add_to_odd(a.wide(), b.wide(), c.wide()));
    }
    /// The smaller number. If one of the two is NaN, the other one.
    static SmallFloat smaller(SmallFloat a, SmallFloat b) {
        return a.is_nan()                                   ? (b.is_nan() ? from_bits(kNaN) : b)
               : b < a || (b == a && (b.pattern & 0x8000u)) ? b
                                                            : a;
    }
    static SmallFloat larger(SmallFloat a, SmallFloat b) {
        return a.is_nan()                                   ? (b.is_nan() ? from_bits(kNaN) : b)
               : a < b || (a == b && (a.pattern & 0x8000u)) ? b
                                                            : a;
    }
    static SmallFloat nan() { return from_bits(kNaN); }

  private:
    static std::uint16_t rounded(float value) {
        const std::uint32_t bits = bits_as<std::uint32_t>(value), magnitude = bits & 0x7fffffffu;
        const std::uint32_t sign = bits >> 16 & 0x8000u;
        if (magnitude > 0x7f800000u) return kNaN;
        std::uint32_t result;
        if (kRebias != 0 && magnitude < kRebias + (1u << 23)) {
            const float sum = bits_as<float>(magnitude) + bits_as<float>(kSubnormalUnit);
            result = bits_as<std::uint32_t>(sum) - kSubnormalUnit;
        } else {
            const std::uint32_t odd = magnitude >> kDropped & 1u;
            result = (magnitude - kRebias + (1u << (kDropped - 1)) - 1 + odd) >> kDropped;
        }
        return static_cast<std::uint16_t>(sign | (result > kInfinity ? kInfinity : result));
    }

    static float widened(std::uint16_t bits) {
        const std::uint32_t sign = (bits & 0x8000u) << 16, magnitude = bits & 0x7fffu;
        std::uint32_t result = magnitude << kDropped;
        if (magnitude >= kInfinity)
            result |= 0x7f800000u;
        else if (magnitude >> kFractionBits)
            result += kRebias;
        else if (kRebias != 0)
            result = bits_as<std::uint32_t>(bits_as<float>(kSubnormalUnit | magnitude) -
                                            bits_as<float>(kSubnormalUnit));
        return bits_as<float>(sign | result);
    }
};

/// Two numbers in four bytes.
template <class T>
struct alignas(4) Pair {
    T x, y;

    Pair() = default;
    [[gnu::always_inline]] Pair(T low, T high) : x(low), y(high) {}

    /// Applies a function to both elements.
    template <class Function>
    friend Pair each(Pair a, Function function) {
        return {T(function(a.x)), T(function(a.y))};
    }
    template <class Function>
    friend Pair each(Pair a, Pair b, Function function) {
        return {T(function(a.x, b.x)), T(function(a.y, b.y))};
    }

    friend Pair operator-(Pair a) { return {-a.x, -a.y}; }
    friend Pair operator+(Pair a, Pair b) { return {a.x + b.x, a.y + b.y}; }
    friend Pair operator-(Pair a, Pair b) { return {a.x - b.x, a.y - b.y}; }
    friend Pair operator*(Pair a, Pair b) { return {a.x * b.x, a.y * b.y}; }
    friend Pair operator/(Pair a, Pair b) { return {a.x / b.x, a.y / b.y}; }
    [[gnu::always_inline]] Pair& operator+=(Pair other) { return *this = *this + other; }
    [[gnu::always_inline]] Pair& operator-=(Pair other) { return *this = *this - other; }
    [[gnu::always_inline]] Pair& operator*=(Pair other) { return *this = *this * other; }
    [[gnu::always_inline]] Pair& operator/=(Pair other) { return *this = *this / other; }
    friend bool operator==(Pair a, Pair b) { return a.x == b.x && a.y == b.y; }
    friend bool operator!=(Pair a, Pair b) { return a.x != b.x && a.y != b.y; }
};

}  // namespace attn::emulator
