#pragma once
/// For tests: the functions of reference/self_attention.h from Arrays to Arrays, and inputs for them. Outputs
/// are full of NaN before the call, so that an element that is never written is found.

#include <cstddef>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "assignments/array.h"
#include "grader/ask/random.h"
#include "reference/self_attention.h"

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

template <class T>
Array unwritten(const std::string& name, const Shape& shape) {
    return Array(name, shape, std::vector<T>(element_count(shape), std::numeric_limits<T>::quiet_NaN()));
}

/// Nearly normal numbers, different for every name.
template <class T>
Array normal(const std::string& name, const Shape& shape) {
    ask::Random random(2, name);
    std::vector<T> values(element_count(shape));
    for (T& value : values) value = static_cast<T>(random.normal());
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

template <class T>
Array softmax(const Array& X) {
    Array Y = unwritten<T>("Y", X.shape);
    cpu::softmax<T>(Y.view<T, 2>(), X.view<T, 2>());
    return Y;
}

struct Attended {
    Array Y, A;
};

template <class T>
Attended attend(const Array& Q, const Array& K, const Array& V) {
    Attended result{unwritten<T>("Y", {Q.shape[0], Q.shape[1], V.shape[2]}),
                    unwritten<T>("A", {Q.shape[0], Q.shape[1], K.shape[1]})};
    cpu::scaled_dot_product_attention<T>(result.Y.view<T, 3>(), result.A.view<T, 3>(), Q.view<T, 3>(),
                                         K.view<T, 3>(), V.view<T, 3>());
    return result;
}

template <class T>
Array self_attend(const Array& X, const Array& W_Q, const Array& W_K, const Array& W_V) {
    Array Y = unwritten<T>("Y", {X.shape[0], X.shape[1], W_V.shape[1]});
    cpu::self_attention<T>(Y.view<T, 3>(), X.view<T, 3>(), W_Q.view<T, 2>(), W_K.view<T, 2>(),
                           W_V.view<T, 2>());
    return Y;
}

}  // namespace attn::testing
