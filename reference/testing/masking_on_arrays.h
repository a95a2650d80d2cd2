#pragma once
/// For tests: the functions of reference/masking.h from Arrays to Arrays. Outputs are full of NaN, masks of
/// 7s, before the call, so that an element that is never written is found.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "assignments/array.h"
#include "reference/masking.h"
#include "reference/testing/self_attention_on_arrays.h"

namespace attn::testing {

inline Array mask(const Shape& shape, const std::vector<std::uint8_t>& values) {
    return Array("mask", shape, values);
}

inline Array unwritten_mask(const Shape& shape) {
    return mask(shape, std::vector<std::uint8_t>(element_count(shape), 7));
}

inline Array causal_mask(int N_q, int N_k) {
    Array M = unwritten_mask({N_q, N_k});
    cpu::causal_mask(M.view<std::uint8_t, 2>());
    return M;
}

inline Array padding_mask(const std::vector<int>& lengths, int N_q, int N_k) {
    const Array given("lengths", {static_cast<int>(lengths.size())}, lengths);
    Array M = unwritten_mask({given.shape[0], N_q, N_k});
    cpu::padding_mask(M.view<std::uint8_t, 3>(), given.view<int, 1>());
    return M;
}

inline Array combine_masks(const Array& causal, const Array& padding) {
    Array M = unwritten_mask(padding.shape);
    cpu::combine_masks(M.view<std::uint8_t, 3>(), causal.view<std::uint8_t, 2>(),
                       padding.view<std::uint8_t, 3>());
    return M;
}

/// The causal mask for each of B batches.
inline Array causal_masks(int B, int N_q, int N_k) {
    return combine_masks(causal_mask(N_q, N_k),
                         padding_mask(std::vector<int>(static_cast<std::size_t>(B), N_k), N_q, N_k));
}

template <class T>
Array masked_softmax(const Array& X, const Array& mask) {
    Array Y = unwritten<T>("Y", X.shape);
    cpu::masked_softmax<T>(Y.view<T, 2>(), X.view<T, 2>(), mask.view<std::uint8_t, 2>());
    return Y;
}

template <class T>
Attended masked_attend(const Array& Q, const Array& K, const Array& V, const Array& mask) {
    Attended result{unwritten<T>("Y", {Q.shape[0], Q.shape[1], V.shape[2]}),
                    unwritten<T>("A", {Q.shape[0], Q.shape[1], K.shape[1]})};
    cpu::masked_attention<T>(result.Y.view<T, 3>(), result.A.view<T, 3>(), Q.view<T, 3>(), K.view<T, 3>(),
                             V.view<T, 3>(), mask.view<std::uint8_t, 3>());
    return result;
}

}  // namespace attn::testing
