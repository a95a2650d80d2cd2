#pragma once
/// Assignment 15: fused attention. You write these five functions in student/fused_attention.cpp.
///
/// Conventions of the whole course: outputs first, then inputs, then options; arrays are dense, row-major,
/// float; vectors are rows; the outputs exist and have the right shape, write every element.
/// None of these functions may keep an array of N x N numbers.
/// Letters:  B batches, N vectors in a sequence, D numbers in a vector (D_q in a query or key, D_v in a
///           value), B_r queries in a block (rows), B_c keys in a block (columns), W keys on one side of a
///           window; b batch, i query, j key, d feature, I block of queries, J block of keys.

#include <cstdint>

#include "../tensor.h"

namespace attn {

/// Online softmax, every row on its own: one pass over the row carries the maximum and the sum so far. A new
/// maximum rescales the old sum.
///   m[i, j] = max_{k <= j} X[i, k]                     [N, D]
///   l[i, j] = sum_{k <= j} exp(X[i, k] - m[i, j])      [N, D]
///   Y[i, j] = exp(X[i, j] - m_i) / l_i      [N, D]
/// m_i and l_i are the last numbers of row i of m and l. X [N, D] may hold numbers of +-1000. The time for a
/// row grows like D. Requires D >= 1.
/// Source: Milakov & Gimelshein 2018, algorithm 3.
void online_softmax(TensorView<float, 2> Y, TensorView<float, 2> m, TensorView<float, 2> l,
                    TensorView<const float, 2> X);

/// Attention block by block: the result of scaled dot-product attention, from blocks of B_r x B_c scores.
///   E[b, i, j] = Q[b, i] . K[b, j] / sqrt(D_q)      where query i may see key j
///   L[b, i] = log sum_j exp(E[b, i, j])      [B, N] (optional)
///   Y[b, i] = sum_j exp(E[b, i, j] - L[b, i]) V[b, j]      [B, N, D_v]
///   visited[I, J] = 1 if block (I, J) is computed, else 0      [ceil(N/B_r), ceil(N/B_c)] (optional)
/// Block I has the queries I B_r, I B_r + 1, .., block J the keys J B_c, J B_c + 1, ..; the last blocks may
/// be smaller. If causal (default false), query i sees the keys j <= i, and a block is computed only if one of
/// its queries may see one of its keys. Otherwise all queries see all keys, and all blocks are computed.
/// Every batch visits the same blocks. Q, K [B, N, D_q], V [B, N, D_v]. Scores may be +-1000.
/// B_r and B_c are at least 1, and may be larger than N.
/// Source: Dao et al. 2022, algorithm 1; Dao 2023, algorithm 1.
void blocked_attention(TensorView<float, 3> Y, TensorView<float, 2> L, TensorView<std::uint8_t, 2> visited,
                       TensorView<const float, 3> Q, TensorView<const float, 3> K,
                       TensorView<const float, 3> V, bool causal, int B_r, int B_c);

/// The gradients of blocked attention. Y and L are what it gave for Q, K and V, so that each weight can be
/// computed again from its score alone. Your blocks are your choice.
///   P[b, i, j] = exp(Q[b, i] . K[b, j] / sqrt(D_q) - L[b, i]), 0 where query i may not see key j
///   delta[b, i] = sum_d dY[b, i, d] Y[b, i, d]
///   dE[b, i, j] = P[b, i, j] (dY[b, i] . V[b, j] - delta[b, i])
///   dQ[b, i] = sum_j dE[b, i, j] K[b, j] / sqrt(D_q)      [B, N, D_q]
///   dK[b, j] = sum_i dE[b, i, j] Q[b, i] / sqrt(D_q)      [B, N, D_q]
///   dV[b, j] = sum_i P[b, i, j] dY[b, i]      [B, N, D_v]
/// dY, V, Y [B, N, D_v], Q, K [B, N, D_q], L [B, N]. If causal (default false), query i sees the keys j <= i.
/// Source: Dao et al. 2022, appendix B.4; Dao 2023, algorithm 2.
void blocked_attention_backward(TensorView<float, 3> dQ, TensorView<float, 3> dK, TensorView<float, 3> dV,
                                TensorView<const float, 3> dY, TensorView<const float, 3> Q,
                                TensorView<const float, 3> K, TensorView<const float, 3> V,
                                TensorView<const float, 3> Y, TensorView<const float, 2> L, bool causal);

/// Attention within a sliding window: query i sees the keys i - W <= j <= i + W of its sequence, and, if
/// causal (default false), only the keys i - W <= j <= i.
///   Y[i] = sum_j A[i, j] V[j], A = softmax of Q K^T / sqrt(D_q) over the keys that i sees      [B, N, D_v]
/// Q, K [B, N, D_q], V [B, N, D_v], W >= 1. Time and memory grow like N W, not like N N. Scores may be +-1000.
/// Source: Beltagy, Peters & Cohan 2020, section 3.1.
void sliding_window_attention(TensorView<float, 3> Y, TensorView<const float, 3> Q,
                              TensorView<const float, 3> K, TensorView<const float, 3> V, bool causal, int W);

/// Linear attention: the product of positive features takes the place of exp of a score. The keys are summed
/// up once for all queries, or, if causal (default false), only j <= i for query i, by a running sum.
///   phi(x) = x + 1 if x > 0, else exp(x)      which a float can hold for x > -80
///   S = sum_j phi(K[b, j])^T V[b, j], z = sum_j phi(K[b, j])      a matrix of D_q x D_v, a vector of D_q
///   Y[b, i] = phi(Q[b, i]) S / (phi(Q[b, i]) . z)      [B, N, D_v]
/// Q, K [B, N, D_q], V [B, N, D_v]. There is no sqrt(D_q). Time and memory grow like N, not like N N.
/// Source: Katharopoulos et al. 2020, eqs. (5), (7) and (9) to (12).
void linear_attention(TensorView<float, 3> Y, TensorView<const float, 3> Q, TensorView<const float, 3> K,
                      TensorView<const float, 3> V, bool causal);

}  // namespace attn
