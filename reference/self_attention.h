#pragma once
/// The reference for assignment 2: plain loops, one text for float and double. No tiling, no fast maths, no
/// library: read it with the slide open. Contract, shapes and sources:
/// assignments/02_self_attention/self_attention.h.

#include "assignments/tensor.h"

namespace attn::cpu {

/// Y[i, j] = exp(X[i, j] - m_i) / sum_k exp(X[i, k] - m_i),  m_i = max_k X[i, k]      X, Y [N, D]
template <class T>
void softmax(TensorView<T, 2> Y, TensorView<const T, 2> X);

/// E = Q K^T / sqrt(D_q), A = softmax(E) by rows, Y = A V. An empty A is not written.
/// Q [B, N_q, D_q], K [B, N_k, D_q], V [B, N_k, D_v], A [B, N_q, N_k], Y [B, N_q, D_v]
template <class T>
void scaled_dot_product_attention(TensorView<T, 3> Y, TensorView<T, 3> A, TensorView<const T, 3> Q,
                                  TensorView<const T, 3> K, TensorView<const T, 3> V);

/// Q = X W_Q, K = X W_K, V = X W_V, Y = scaled dot-product attention of Q, K, V.
/// X [B, N, D_x], W_Q and W_K [D_x, D_q], W_V [D_x, D_v], Y [B, N, D_v]
template <class T>
void self_attention(TensorView<T, 3> Y, TensorView<const T, 3> X, TensorView<const T, 2> W_Q,
                    TensorView<const T, 2> W_K, TensorView<const T, 2> W_V);

}  // namespace attn::cpu
