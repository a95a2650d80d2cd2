#pragma once
/// Assignment 4 at the machine's speed; see reference/masking.h.

#include <cstdint>

#include "assignments/tensor.h"

namespace attn::fast {

/// M[i, j] = 1 if j <= i + (N_k - N_q), else 0
void causal_mask(TensorView<std::uint8_t, 2> M);

/// M[b, i, j] = 1 if j < lengths[b], else 0
void padding_mask(TensorView<std::uint8_t, 3> M, TensorView<const int, 1> lengths);

/// M[b, i, j] = 1 if causal[i, j] and padding[b, i, j] are both 1, else 0
void combine_masks(TensorView<std::uint8_t, 3> M, TensorView<const std::uint8_t, 2> causal,
                   TensorView<const std::uint8_t, 3> padding);

/// Y = softmax of X by rows over the j with mask[i, j] = 1, 0 elsewhere; a row that may attend to nothing is
/// 0. Y may be X.      X, mask, Y [N, D]
void masked_softmax(TensorView<float, 2> Y, TensorView<const float, 2> X,
                    TensorView<const std::uint8_t, 2> mask);

/// Y = masked_softmax(Q K^T / sqrt(D_q), mask) V. A is written where it is no empty view; without it no array
/// of its size is made. An empty mask: all may attend to all.
void masked_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                      TensorView<const float, 3> K, TensorView<const float, 3> V,
                      TensorView<const std::uint8_t, 3> mask);

}  // namespace attn::fast
