#pragma once
/// Assignment 2: self-attention. You write these three functions in student/self_attention.cpp.
///
/// Conventions of the whole course:
///   - arrays are dense, row-major, float; vectors are rows; weights are [in, out], so that Q = X W_Q
///   - outputs come first, then inputs: a call reads like its equation
///   - the output arrays exist already and have the right shape; write every element of them
///   - inputs are never changed, nothing is random, and the same call gives the same bits twice
/// Letters:  B batches, N vectors in a sequence (N_q queries, N_k keys), D numbers in a vector,
///           b batch, i query, j key, d feature.

#include "../tensor.h"

namespace attn {

/// Softmax by rows.
///   Y[i, j] = exp(X[i, j]) / sum_k exp(X[i, k])      X, Y [N, D]
/// Every row of Y is positive and sums to 1. X may contain scores of +-1000. Their exp is too
/// large or too small for a float, but Y must be right.
/// Requires D >= 1.
/// Source: Goodfellow, Bengio & Courville 2016, eq. (4.1) and its discussion of overflow.
void softmax(TensorView<float, 2> Y, TensorView<const float, 2> X);

/// Scaled dot-product attention, each batch on its own.
///   E = Q K^T / sqrt(D_q)      [B, N_q, N_k]
///   A = softmax(E) by rows     [B, N_q, N_k] (optional)
///   Y = A V                    [B, N_q, D_v]
/// Q [B, N_q, D_q], K [B, N_k, D_q], V [B, N_k, D_v]. If the caller does not want A, it is an empty
/// view and `if (A)` is false. Then write only Y.
/// Requires N_k >= 1, D_q >= 1.
/// Source: Vaswani et al. 2017, eq. (1).
void scaled_dot_product_attention(TensorView<float, 3> Y, TensorView<float, 3> A,
                                  TensorView<const float, 3> Q, TensorView<const float, 3> K,
                                  TensorView<const float, 3> V);

/// Self-attention layer: every vector of a sequence asks all vectors of the same sequence.
///   Q = X W_Q, K = X W_K, V = X W_V      [B, N, D_q], [B, N, D_q], [B, N, D_v]
///   Y = scaled dot-product attention of Q, K, V      [B, N, D_v]
/// X [B, N, D_x], W_Q and W_K [D_x, D_q], W_V [D_x, D_v].
/// Requires N >= 1, D_q >= 1.
/// Source: Vaswani et al. 2017, section 3.2; the lectures' "self-attention layer".
void self_attention(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> W_Q,
                    TensorView<const float, 2> W_K, TensorView<const float, 2> W_V);

}  // namespace attn
