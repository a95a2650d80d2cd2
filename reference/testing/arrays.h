#pragma once
/// For tests of the reference: arrays that no call has written yet, normal numbers, and what else the tests
/// of several assignments need.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "assignments/array.h"

namespace attn::testing {

/// The types that the reference is written for.
using Reals = std::tuple<float, double>;

/// How much the order of a few dozen roundings may change a number of size 1.
template <class T>
constexpr double kRounding = 128.0 * static_cast<double>(std::numeric_limits<T>::epsilon());

template <class T>
Array numbers(const std::string& name, const Shape& shape, const std::vector<double>& values) {
    return Array(name, shape, values).cast<T>();
}

/// A mask with these values: 1 = may attend, 0 = may not.
inline Array mask(const Shape& shape, const std::vector<std::uint8_t>& values) {
    return {"mask", shape, values};
}

/// Full of NaN, masks of 7s, so that an element that the call does not write is found.
template <class T>
Array unwritten(const std::string& name, const Shape& shape) {
    const T never = std::is_integral_v<T> ? T{7} : std::numeric_limits<T>::quiet_NaN();
    return Array(name, shape, std::vector<T>(element_count(shape), never));
}

/// A view of an array that may be missing: then an empty one, and the array has no shape.
template <class T, int Rank>
TensorView<const T, Rank> view_if_any(const Array& array) {
    return array.shape.empty() ? TensorView<const T, Rank>() : array.view<T, Rank>();
}

/// A struct of arrays (contracts/x_on_arrays.h) with these arrays.
template <class Structure>
Structure made_of(const std::map<std::string, Array>& by_name) {
    Structure made;
    made.for_each([&by_name](const std::string& name, Array& array) { array = by_name.at(name); });
    return made;
}

/// Nearly normal numbers, different for every name: sums of twelve uniform numbers.
template <class T>
Array normal(const std::string& name, const Shape& shape) {
    std::seed_seq seed(name.begin(), name.end());
    std::mt19937 random(seed);
    std::vector<T> values(element_count(shape), T{-6});
    for (T& value : values)
        for (int k = 0; k < 12; ++k) value += static_cast<T>(random() >> 8U) * static_cast<T>(0x1p-24);
    return Array(name, shape, values);
}

/// Rows order[0], order[1], .. of every batch of X [B, N, D].
template <class T>
Array rows(const Array& X, const std::vector<int>& order) {
    Array result = unwritten<T>(X.name, {X.shape[0], static_cast<int>(order.size()), X.shape[2]});
    const auto to = result.view<T, 3>();
    const auto from = X.view<T, 3>();
    for (int b = 0; b < to.size(0); ++b)
        for (int i = 0; i < to.size(1); ++i)
            for (int d = 0; d < to.size(2); ++d) to(b, i, d) = from(b, order[static_cast<std::size_t>(i)], d);
    return result;
}

/// X W      X [.., D_in], W [D_in, D_out]
template <class T>
Array product(const Array& X, const Array& W) {
    Shape shape = X.shape;
    shape.back() = W.shape[1];
    Array result = Array::zeros<T>(X.name + " " + W.name, shape);
    const auto in = static_cast<std::size_t>(W.shape[0]), out = static_cast<std::size_t>(W.shape[1]);
    for (std::size_t k = 0; k < result.count(); ++k)
        for (std::size_t m = 0; m < in; ++m)
            result.as<T>()[k] += X.as<T>()[k / out * in + m] * W.as<T>()[m * out + k % out];
    return result;
}

}  // namespace attn::testing
