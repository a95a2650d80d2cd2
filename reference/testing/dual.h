#pragma once
/// Forward-mode dual numbers: a number together with its derivative with respect to one other number. The plain loops,
/// instantiated with them, compute exact derivatives of themselves: see dual_loops.h.
///   x + x' e with e^2 = 0, so that f(x + x' e) = f(x) + f'(x) x' e
/// Source: Clifford 1873; Griewank & Walther 2008, section 2.1.

#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>

#include "assignments/call.h"

namespace attn::testing {

struct Dual {
    double value = 0, slope = 0;

    constexpr Dual() = default;
    template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
    constexpr Dual(Number number)
        : value(static_cast<double>(number)) {}  // NOLINT(google-explicit-constructor)
    constexpr Dual(double v, double s) : value(v), slope(s) {}

    Dual operator-() const { return {-value, -slope}; }
    Dual& operator+=(Dual y) { return *this = {value + y.value, slope + y.slope}; }
    Dual& operator-=(Dual y) { return *this = {value - y.value, slope - y.slope}; }
    Dual& operator*=(Dual y) { return *this = {value * y.value, slope * y.value + value * y.slope}; }
    Dual& operator/=(Dual y) {
        return *this = {value / y.value, (slope - value / y.value * y.slope) / y.value};
    }
    friend Dual operator+(Dual x, Dual y) { return x += y; }
    friend Dual operator-(Dual x, Dual y) { return x -= y; }
    friend Dual operator*(Dual x, Dual y) { return x *= y; }
    friend Dual operator/(Dual x, Dual y) { return x /= y; }
    friend bool operator<(Dual x, Dual y) { return x.value < y.value; }
    friend bool operator>(Dual x, Dual y) { return x.value > y.value; }
    friend bool operator<=(Dual x, Dual y) { return x.value <= y.value; }
    friend bool operator>=(Dual x, Dual y) { return x.value >= y.value; }
    friend bool operator==(Dual x, Dual y) { return x.value == y.value; }
};

inline Dual exp(Dual x) {
    return {std::exp(x.value), std::exp(x.value) * x.slope};
}
inline Dual log(Dual x) {
    return {std::log(x.value), x.slope / x.value};
}
inline Dual sqrt(Dual x) {
    return {std::sqrt(x.value), x.slope / (2 * std::sqrt(x.value))};
}
inline Dual tanh(Dual x) {
    const double t = std::tanh(x.value);
    return {t, (1 - t * t) * x.slope};
}
inline Dual erf(Dual x) {
    return {std::erf(x.value), 2 * std::numbers::inv_sqrtpi * std::exp(-x.value * x.value) * x.slope};
}

}  // namespace attn::testing

template <>
struct std::numeric_limits<attn::testing::Dual> : std::numeric_limits<double> {};
template <>
inline const attn::testing::Dual std::numbers::sqrt2_v<attn::testing::Dual> = std::numbers::sqrt2;
template <>
inline const attn::testing::Dual std::numbers::inv_pi_v<attn::testing::Dual> = std::numbers::inv_pi;

/// Arguments of a call (assignments/call.h) that are arrays of dual numbers are said to be of doubles.
template <>
constexpr attn::ElementType attn::element_type_of<attn::testing::Dual>() {
    return ElementType::f64;
}
template <>
constexpr attn::ElementType attn::element_type_of<const attn::testing::Dual>() {
    return ElementType::f64;
}
