#pragma once
/// Functions of the yardstick that no contract has, for other functions of the yardstick.
///
/// The contract's functions themselves are declared in contracts/x_fast.h, which the build writes. More than
/// the contract says, Y may be X in layer_norm, masked_softmax, transformer_block and transformer_encoder.

#include <cstdint>

#include "assignments/03_multi_head/multi_head.h"
#include "assignments/05_transformer_block/transformer_block.h"
#include "assignments/tensor.h"
#include "reference/fast/attention.h"

namespace attn::fast {

/// Y = f(X), element by element, within 4 roundings. Y may be X. Throws std::invalid_argument for an
/// activation that there is not.
void activate(TensorView<float, 2> Y, TensorView<const float, 2> X, Activation activation);

/// The rows of all batches as those of one matrix      X [B, N, D]
template <class T>
TensorView<T, 2> all_rows(TensorView<T, 3> X) {
    return {X.data(), X.size(0) * X.size(1), X.size(2)};
}

/// What a mask of a contract allows      mask [B, N_q, N_k], or an empty view for no mask
Options options_of(TensorView<const std::uint8_t, 3> mask);

/// Y = R + multi-head attention of X_q and X_kv. Y may be any of the others.
void multi_head_attention_and_residual(TensorView<float, 3> Y, TensorView<const float, 3> R,
                                       TensorView<const float, 3> X_q, TensorView<const float, 3> X_kv,
                                       const MultiHeadWeights<float>& weights, const Options& options, int H);

/// Y = Y + f(X W_1 + b_1) W_2 + b_2      X, Y [N, D], W_1 [D, F], b_1 [F], W_2 [F, D], b_2 [D]. Y may be X.
void add_feed_forward(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> W_1,
                      TensorView<const float, 1> b_1, TensorView<const float, 2> W_2,
                      TensorView<const float, 1> b_2, Activation activation);

}  // namespace attn::fast
