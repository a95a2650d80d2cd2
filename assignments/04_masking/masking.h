#pragma once
/// Assignment 4: masking. You write these five functions in student/masking.cpp.
///
/// Conventions of the whole course: outputs first, then inputs; arrays are dense, row-major, float; the
/// outputs exist and have the right shape, write every element.
/// MASKS ARE uint8:  1 = MAY ATTEND,  0 = MAY NOT.  Some other courses use the opposite.
/// Letters:  B batches, N vectors in a sequence (N_q queries, N_k keys), D numbers in a vector,
///           b batch, i query, j key, d feature.

#include <cstdint>

#include "../tensor.h"

namespace attn {

/// No query sees a key that comes after it.
///   M[i, j] = 1 if j <= i + (N_k - N_q), else 0      M [N_q, N_k]
/// The last query is at the position of the last key. N_q and N_k are M's lengths. If N_k < N_q, the first
/// N_q - N_k rows are all 0.
/// Source: Vaswani et al. 2017, section 3.2.3; the lectures' e_{i,j} = -inf for j > i.
void causal_mask(TensorView<std::uint8_t, 2> M);

/// No query sees padding: sequence b has lengths[b] real keys, and the others are padding.
///   M[b, i, j] = 1 if j < lengths[b], else 0      M [B, N_q, N_k], lengths [B]
/// Requires 0 <= lengths[b] <= N_k; a length of 0 makes rows that are all 0.
void padding_mask(TensorView<std::uint8_t, 3> M, TensorView<const int, 1> lengths);

/// Allows what both masks allow. Every batch has the same causal mask.
///   M[b, i, j] = 1 if causal[i, j] and padding[b, i, j] are both 1, else 0
/// causal [N_q, N_k], padding and M [B, N_q, N_k].
void combine_masks(TensorView<std::uint8_t, 3> M, TensorView<const std::uint8_t, 2> causal,
                   TensorView<const std::uint8_t, 3> padding);

/// Softmax by rows over the allowed entries.
///   Y[i, j] = exp(X[i, j]) / sum_{k: mask[i, k] = 1} exp(X[i, k]) where mask[i, j] = 1, else 0
/// If a row of the mask is all 0, the row of Y is all 0. Scores, also masked ones, may be +-10000. A masked
/// score changes nothing, even if it lies far above every allowed score of its row. X, mask, Y [N, D].
void masked_softmax(TensorView<float, 2> Y, TensorView<const float, 2> X,
                    TensorView<const std::uint8_t, 2> mask);

/// Masked scaled dot-product attention, each batch on its own.
///   E = Q K^T / sqrt(D_q)                          [B, N_q, N_k]
///   A = masked softmax of E by rows, with mask     [B, N_q, N_k] (optional)
///   Y = A V                                        [B, N_q, D_v]
/// Q [B, N_q, D_q], K [B, N_k, D_q], V [B, N_k, D_v], mask [B, N_q, N_k]. If A is an empty view
/// (`if (A)` is false), write only Y. A query that may not attend to any key has A = 0 and Y = 0.
/// Source: Vaswani et al. 2017, eq. (1) and section 3.2.3.
void masked_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                      TensorView<const float, 3> K, TensorView<const float, 3> V,
                      TensorView<const std::uint8_t, 3> mask);

}  // namespace attn
