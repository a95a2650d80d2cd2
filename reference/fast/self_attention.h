#pragma once
/// Assignment 2 at the machine's speed; see reference/self_attention.h. softmax, too, which is in
/// attention.h.

#include "assignments/tensor.h"
#include "reference/fast/attention.h"

namespace attn::fast {

/// Y = softmax(Q K^T / sqrt(D_q)) V. A is written where it is no empty view; without it no array of its size
/// is made.
void scaled_dot_product_attention(TensorView<float, 3> Y, TensorView<float, 3> A,
                                  TensorView<const float, 3> Q, TensorView<const float, 3> K,
                                  TensorView<const float, 3> V);

/// Y = attention of X W_Q, X W_K, X W_V
void self_attention(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> W_Q,
                    TensorView<const float, 2> W_K, TensorView<const float, 2> W_V);

}  // namespace attn::fast
