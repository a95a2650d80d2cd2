#pragma once
/// The reference for assignment 3: plain loops, one text for float and double. The attention of one head is
/// assignment 2's without a mask and assignment 4's with one. Contract, shapes and sources:
/// assignments/03_multi_head/multi_head.h.

#include <cstdint>

#include "assignments/03_multi_head/multi_head.h"
#include "assignments/tensor.h"

namespace attn::cpu {

/// Y[b, h, i, d] = X[b, i, h D/H + d]      X [B, N, D], Y [B, H, N, D/H]
/// Throws std::invalid_argument if H, Y's second length, does not divide D.
template <class T>
void split_heads(TensorView<T, 4> Y, TensorView<const T, 3> X);

/// Y[b, i, h D_h + d] = X[b, h, i, d]      X [B, H, N, D_h], Y [B, N, H D_h]
template <class T>
void merge_heads(TensorView<T, 3> Y, TensorView<const T, 4> X);

/// Q = X_q W_Q + b_Q, K = X_kv W_K + b_K, V = X_kv W_V + b_V; O_h = attention of head h's columns of Q, K, V;
/// Y = [O_0, .., O_{H-1}] W_O + b_O. X_q and Y [B, N_q, D], X_kv [B, N_k, D], mask [B, N_q, N_k] or empty.
/// Throws std::invalid_argument if H does not divide D.
template <class T>
void multi_head_attention(TensorView<T, 3> Y, TensorView<const T, 3> X_q, TensorView<const T, 3> X_kv,
                          const MultiHeadWeights<T>& weights, TensorView<const std::uint8_t, 3> mask, int H);

}  // namespace attn::cpu
