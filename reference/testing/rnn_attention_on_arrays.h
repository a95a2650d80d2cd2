#pragma once
/// For tests: the functions of reference/rnn_attention.h from Arrays to Arrays. Outputs are full of NaN
/// before the call, so that an element that is never written is found.

#include <cstdint>
#include <string>
#include <vector>

#include "assignments/array.h"
#include "reference/rnn_attention.h"
#include "reference/testing/self_attention_on_arrays.h"

namespace attn::testing {

inline Array mask(const Shape& shape, const std::vector<std::uint8_t>& ones) {
    return Array("mask", shape, ones);
}

/// Normal numbers times `size`.
template <class T>
Array sized(const std::string& name, const Shape& shape, double size) {
    Array array = normal<T>(name, shape);
    for (T& value : array.template as<T>()) value *= static_cast<T>(size);
    return array;
}

/// The same numbers of an array [.., D] with other axes in front.
inline Array shaped(Array array, const Shape& shape) {
    array.shape = shape;
    return array;
}

template <class T>
Array additive_scores(const Array& s_prev, const Array& h, const Array& W_q, const Array& W_k,
                      const Array& v) {
    Array e = unwritten<T>("e", {h.shape[0], h.shape[1]});
    cpu::additive_scores<T>(e.view<T, 2>(), s_prev.view<T, 2>(), h.view<T, 3>(), W_q.view<T, 2>(),
                            W_k.view<T, 2>(), v.view<T, 1>());
    return e;
}

struct Context {
    Array a, c;
};

template <class T>
Context attention_context(const Array& e, const Array& h, const Array& words) {
    Context result{unwritten<T>("a", e.shape), unwritten<T>("c", {h.shape[0], h.shape[2]})};
    cpu::attention_context<T>(result.a.view<T, 2>(), result.c.view<T, 2>(), e.view<T, 2>(), h.view<T, 3>(),
                              words.view<std::uint8_t, 2>());
    return result;
}

/// The arrays that a DecoderWeights views.
struct Weights {
    Array W_q, W_k, v, W_x, W_s, b, W_0, b_0;

    template <class T>
    DecoderWeights<T> views() const {
        return {W_q.view<T, 2>(), W_k.view<T, 2>(), v.view<T, 1>(),   W_x.view<T, 2>(),
                W_s.view<T, 2>(), b.view<T, 1>(),   W_0.view<T, 2>(), b_0.view<T, 1>()};
    }
};

template <class T>
Array decoder_step(const Array& y_prev, const Array& c, const Array& s_prev, const Weights& weights) {
    Array s = unwritten<T>("s", s_prev.shape);
    cpu::decoder_step<T>(s.view<T, 2>(), y_prev.view<T, 2>(), c.view<T, 2>(), s_prev.view<T, 2>(),
                         weights.W_x.view<T, 2>(), weights.W_s.view<T, 2>(), weights.b.view<T, 1>());
    return s;
}

struct Decoded {
    Array S, A;
};

template <class T>
Decoded decode(const Array& h, const Array& words, const Array& y, const Weights& weights) {
    const int B = h.shape[0], L = y.shape[1] - 1;
    Decoded result{unwritten<T>("S", {B, L, weights.b.shape[0]}), unwritten<T>("A", {B, L, h.shape[1]})};
    cpu::decode<T>(result.S.view<T, 3>(), result.A.view<T, 3>(), h.view<T, 3>(),
                   words.view<std::uint8_t, 2>(), y.view<T, 3>(), weights.views<T>());
    return result;
}

template <class T>
Context grid_attention(const Array& s_prev, const Array& grid, const Array& W_q, const Array& W_k,
                       const Array& v) {
    Context result{unwritten<T>("a", {grid.shape[0], grid.shape[1], grid.shape[2]}),
                   unwritten<T>("c", {grid.shape[0], grid.shape[3]})};
    cpu::grid_attention<T>(result.a.view<T, 3>(), result.c.view<T, 2>(), s_prev.view<T, 2>(),
                           grid.view<T, 4>(), W_q.view<T, 2>(), W_k.view<T, 2>(), v.view<T, 1>());
    return result;
}

}  // namespace attn::testing
