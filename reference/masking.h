#pragma once
/// The reference for assignment 4: plain loops, one text for float and double. Masks need no rounding, so
/// their three functions are not templates. 1 = MAY ATTEND. Contract, shapes and sources:
/// assignments/04_masking/masking.h.

#include <cstdint>

#include "assignments/tensor.h"

namespace attn::cpu {

/// M[i, j] = 1 if j <= i + (N_k - N_q), else 0      M [N_q, N_k]
void causal_mask(TensorView<std::uint8_t, 2> M);

/// M[b, i, j] = 1 if j < lengths[b], else 0      M [B, N_q, N_k], lengths [B]
void padding_mask(TensorView<std::uint8_t, 3> M, TensorView<const int, 1> lengths);

/// M[b, i, j] = 1 if causal[i, j] and padding[b, i, j] are both 1, else 0
/// causal [N_q, N_k], padding and M [B, N_q, N_k]
void combine_masks(TensorView<std::uint8_t, 3> M, TensorView<const std::uint8_t, 2> causal,
                   TensorView<const std::uint8_t, 3> padding);

/// Y[i, j] = exp(X[i, j] - m_i) / sum_{k: mask[i, k] = 1} exp(X[i, k] - m_i) where mask[i, j] = 1, else 0,
/// m_i = max_{k: mask[i, k] = 1} X[i, k]; a fully masked row is 0.      X, mask, Y [N, D]
template <class T>
void masked_softmax(TensorView<T, 2> Y, TensorView<const T, 2> X, TensorView<const std::uint8_t, 2> mask);

/// E = Q K^T / sqrt(D_q), A = masked softmax of E by rows, Y = A V. An empty A is not written.
/// Q [B, N_q, D_q], K [B, N_k, D_q], V [B, N_k, D_v], mask and A [B, N_q, N_k], Y [B, N_q, D_v]
template <class T>
void masked_attention(TensorView<T, 3> Y, TensorView<T, 3> A, TensorView<const T, 3> Q,
                      TensorView<const T, 3> K, TensorView<const T, 3> V,
                      TensorView<const std::uint8_t, 3> mask);

}  // namespace attn::cpu
