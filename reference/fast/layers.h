#pragma once
/// Functions of the yardstick that no contract has, for other functions of the yardstick.
///
/// The contract's functions themselves are declared in contracts/x_fast.h, which the build writes. More than
/// the contract says, Y may be X in layer_norm, masked_softmax, transformer_block and transformer_encoder.

#include <cstdint>

#include "assignments/03_multi_head/multi_head.h"
#include "assignments/05_transformer_block/transformer_block.h"
#include "assignments/tensor.h"

namespace attn::fast {

/// Y = f(X), element by element, within 4 roundings. Y may be X. Throws std::invalid_argument for an
/// activation that there is not.
void activate(TensorView<float, 2> Y, TensorView<const float, 2> X, Activation activation);

/// Y = R + multi-head attention of X_q and X_kv. Y may be any of the others.
void multi_head_attention_and_residual(TensorView<float, 3> Y, TensorView<const float, 3> R,
                                       TensorView<const float, 3> X_q, TensorView<const float, 3> X_kv,
                                       const MultiHeadWeights<float>& weights,
                                       TensorView<const std::uint8_t, 3> mask, int H);

}  // namespace attn::fast
