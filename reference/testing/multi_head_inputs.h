#pragma once
/// For tests of assignment 3: layers and masks.

#include <cmath>
#include <cstdint>
#include <vector>

#include "contracts/multi_head_on_arrays.h"
#include "reference/testing/arrays.h"

namespace attn::testing {

/// Nothing learned yet: zeros.
template <class T>
on_arrays::MultiHeadWeightsArrays empty_layer(int D) {
    const auto W = [D](const char* name) { return Array::zeros<T>(name, {D, D}); };
    const auto b = [D](const char* name) { return Array::zeros<T>(name, {D}); };
    return {W("W_Q"), b("b_Q"), W("W_K"), b("b_K"), W("W_V"), b("b_V"), W("W_O"), b("b_O")};
}

/// Nearly normal numbers, matrices divided by sqrt(D).
template <class T>
on_arrays::MultiHeadWeightsArrays normal_layer(int D) {
    const auto W = [D](const char* name) {
        Array result = normal<T>(name, {D, D});
        for (T& w : result.as<T>()) w /= std::sqrt(static_cast<T>(D));
        return result;
    };
    const auto b = [D](const char* name) { return normal<T>(name, {D}); };
    return {W("W_Q"), b("b_Q"), W("W_K"), b("b_K"), W("W_V"), b("b_V"), W("W_O"), b("b_O")};
}

inline Array mask_of(const Shape& shape, const std::vector<std::uint8_t>& bits) {
    return {"mask", shape, bits};
}

/// Without a mask every query may attend to every key.
template <class T>
Array multi_head_of(const Array& X_q, const Array& X_kv, const on_arrays::MultiHeadWeightsArrays& layer,
                    int H, const Array& mask = {}) {
    return on_arrays::multi_head_attention<T>(X_q, X_kv, layer, mask, H);
}

}  // namespace attn::testing
