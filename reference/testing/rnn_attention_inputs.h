#pragma once
/// For tests of assignment 1: inputs, and calls with all weights of a decoder.

#include <cstdint>
#include <string>
#include <vector>

#include "contracts/rnn_attention_on_arrays.h"
#include "reference/testing/arrays.h"

namespace attn::testing {

/// Normal numbers times `size`.
template <class T>
Array sized(const std::string& name, const Shape& shape, double size) {
    Array array = normal<T>(name, shape);
    for (T& value : array.template as<T>()) value *= static_cast<T>(size);
    return array;
}

/// Array [.., D] as one with other axes in front: the same numbers.
inline Array shaped(Array array, const Shape& shape) {
    array.shape = shape;
    return array;
}

template <class T>
Array decoder_step(const Array& y_prev, const Array& c, const Array& s_prev,
                   const on_arrays::DecoderWeightsArrays& weights) {
    return on_arrays::decoder_step<T>(y_prev, c, s_prev, weights.W_x, weights.W_s, weights.b);
}

/// As many steps as y has words after START.
template <class T>
auto decode(const Array& h, const Array& words, const Array& y,
            const on_arrays::DecoderWeightsArrays& weights) {
    return on_arrays::decode<T>(h, words, y, weights, y.shape[1] - 1);
}

}  // namespace attn::testing
