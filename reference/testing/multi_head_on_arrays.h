#pragma once
/// For tests: the functions of reference/multi_head.h from Arrays to Arrays, and inputs for them.

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/multi_head.h"
#include "reference/testing/self_attention_on_arrays.h"

namespace attn::testing {

/// The arrays that a MultiHeadWeights views.
struct MultiHeadLayer {
    Array W_Q, b_Q, W_K, b_K, W_V, b_V, W_O, b_O;

    template <class T>
    MultiHeadWeights<T> weights() const {
        return {W_Q.view<T, 2>(), b_Q.view<T, 1>(), W_K.view<T, 2>(), b_K.view<T, 1>(),
                W_V.view<T, 2>(), b_V.view<T, 1>(), W_O.view<T, 2>(), b_O.view<T, 1>()};
    }
};

/// All weights and biases zero.
template <class T>
MultiHeadLayer empty_layer(int D) {
    const auto W = [D](const char* name) { return Array::zeros<T>(name, {D, D}); };
    const auto b = [D](const char* name) { return Array::zeros<T>(name, {D}); };
    return {W("W_Q"), b("b_Q"), W("W_K"), b("b_K"), W("W_V"), b("b_V"), W("W_O"), b("b_O")};
}

/// Nearly normal numbers, matrices divided by sqrt(D).
template <class T>
MultiHeadLayer normal_layer(int D) {
    const auto W = [D](const char* name) {
        Array result = normal<T>(name, {D, D});
        for (T& w : result.as<T>()) w /= std::sqrt(static_cast<T>(D));
        return result;
    };
    const auto b = [D](const char* name) { return normal<T>(name, {D}); };
    return {W("W_Q"), b("b_Q"), W("W_K"), b("b_K"), W("W_V"), b("b_V"), W("W_O"), b("b_O")};
}

inline Array mask_of(const Shape& shape, const std::vector<std::uint8_t>& bits) {
    return Array("mask", shape, bits);
}

template <class T>
Array split(const Array& X, int H) {
    Array Y = unwritten<T>("Y", {X.shape[0], H, X.shape[1], X.shape[2] / H});
    cpu::split_heads<T>(Y.view<T, 4>(), X.view<T, 3>());
    return Y;
}

template <class T>
Array merge(const Array& X) {
    Array Y = unwritten<T>("Y", {X.shape[0], X.shape[2], X.shape[1] * X.shape[3]});
    cpu::merge_heads<T>(Y.view<T, 3>(), X.view<T, 4>());
    return Y;
}

template <class T>
Array multi_head(const Array& X_q, const Array& X_kv, const MultiHeadLayer& layer, int H,
                 const std::optional<Array>& mask = {}) {
    Array Y = unwritten<T>("Y", X_q.shape);
    TensorView<const std::uint8_t, 3> allowed;
    if (mask) allowed = mask->view<std::uint8_t, 3>();
    cpu::multi_head_attention<T>(Y.view<T, 3>(), X_q.view<T, 3>(), X_kv.view<T, 3>(), layer.weights<T>(),
                                 allowed, H);
    return Y;
}

}  // namespace attn::testing
