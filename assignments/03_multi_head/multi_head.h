#pragma once
/// Assignment 3: multi-head attention. You write these three functions in student/multi_head.cpp.
///
/// Conventions of the whole course: outputs first, then inputs, then options; arrays are dense, row-major,
/// float; vectors are rows, weights are [in, out]; the outputs exist and have the right shape, write every
/// element; masks are uint8, 1 = may attend, 0 = may not.
/// Letters:  B batches, N vectors in a sequence (N_q queries, N_k keys), D numbers in a vector, H heads,
///           b batch, i query, j key, d feature, h head.

#include <cstdint>

#include "../tensor.h"

namespace attn {

/// The weights of a multi-head layer.
template <class T>
struct MultiHeadWeights {
    TensorView<const T, 2> W_Q;  ///< [D, D]
    TensorView<const T, 1> b_Q;  ///< [D]
    TensorView<const T, 2> W_K;  ///< [D, D]
    TensorView<const T, 1> b_K;  ///< [D]
    TensorView<const T, 2> W_V;  ///< [D, D]
    TensorView<const T, 1> b_V;  ///< [D]
    TensorView<const T, 2> W_O;  ///< [D, D]
    TensorView<const T, 1> b_O;  ///< [D]
};

/// Gives every head its columns.
///   Y[b, h, i, d] = X[b, i, h D/H + d]      X [B, N, D], Y [B, H, N, D/H]
/// H is Y's second length. Throws std::invalid_argument where H does not divide D.
/// Source: Vaswani et al. 2017, section 3.2.2; the lectures' "n x d -> h x n x d/h".
void split_heads(TensorView<float, 4> Y, TensorView<const float, 3> X);

/// Puts the heads side by side again: undoes split_heads.
///   Y[b, i, h D_h + d] = X[b, h, i, d]      X [B, H, N, D_h], Y [B, N, H D_h]
/// Source: Vaswani et al. 2017, section 3.2.2 ("concatenated").
void merge_heads(TensorView<float, 3> Y, TensorView<const float, 4> X);

/// Multi-head attention.
///   Q = X_q W_Q + b_Q,  K = X_kv W_K + b_K,  V = X_kv W_V + b_V      [B, N_q, D], [B, N_k, D], [B, N_k, D]
///   head h has columns [h D/H, (h + 1) D/H) of each:
///     E_h = Q_h K_h^T / sqrt(D/H)                                    [B, N_q, N_k]
///     A_h = softmax(E_h) by rows, over the j with mask[b, i, j] = 1; 0 for the others
///     O_h = A_h V_h                                                  [B, N_q, D/H]
///   Y = [O_0, .., O_{H-1}] W_O + b_O                                 [B, N_q, D]
/// X_q [B, N_q, D], X_kv [B, N_k, D], mask [B, N_q, N_k] (optional), the same for every head. An empty mask
/// view (`if (mask)` is false) means that every query may attend to every key. A query that may attend to
/// nothing has weights 0. A masked score changes nothing, even if it lies far above the allowed ones (scores
/// may be +-1000). Throws std::invalid_argument where H does not divide D.
/// Source: Vaswani et al. 2017, section 3.2.2; biases as its published implementations have them.
void multi_head_attention(TensorView<float, 3> Y, TensorView<const float, 3> X_q,
                          TensorView<const float, 3> X_kv, const MultiHeadWeights<float>& weights,
                          TensorView<const std::uint8_t, 3> mask, int H);

}  // namespace attn
