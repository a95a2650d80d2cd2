#pragma once
/// Assignment 3 at the machine's speed; see reference/multi_head.h. Heads are read where they lie.

#include <cstdint>

#include "assignments/03_multi_head/multi_head.h"
#include "assignments/tensor.h"

namespace attn::fast {

/// Y[b, h, i, d] = X[b, i, h D/H + d]. Throws std::invalid_argument where H does not divide D.
void split_heads(TensorView<float, 4> Y, TensorView<const float, 3> X);

/// Y[b, i, h D_h + d] = X[b, h, i, d]
void merge_heads(TensorView<float, 3> Y, TensorView<const float, 4> X);

/// Y = [O_0, .., O_{H-1}] W_O + b_O. Throws std::invalid_argument where H does not divide D.
void multi_head_attention(TensorView<float, 3> Y, TensorView<const float, 3> X_q,
                          TensorView<const float, 3> X_kv, const MultiHeadWeights<float>& weights,
                          TensorView<const std::uint8_t, 3> mask, int H);

/// Y = R + multi-head attention of X_q and X_kv. Y may be any of the others.
void multi_head_attention_and_residual(TensorView<float, 3> Y, TensorView<const float, 3> R,
                                       TensorView<const float, 3> X_q, TensorView<const float, 3> X_kv,
                                       const MultiHeadWeights<float>& weights,
                                       TensorView<const std::uint8_t, 3> mask, int H);

}  // namespace attn::fast
