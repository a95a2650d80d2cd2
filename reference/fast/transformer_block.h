#pragma once
/// Assignment 5 at the machine's speed; see reference/transformer_block.h.

#include <cstdint>

#include "assignments/05_transformer_block/transformer_block.h"
#include "assignments/tensor.h"

namespace attn::fast {

/// Y = gamma (X - mu) / sqrt(var + eps) + beta by rows. Y may be X.
void layer_norm(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 1> gamma,
                TensorView<const float, 1> beta, float eps);

/// Y = f(X), element by element, within 4 roundings. Y may be X. Throws std::invalid_argument for an
/// activation that there is not.
void activate(TensorView<float, 2> Y, TensorView<const float, 2> X, Activation activation);

/// Y = activation(X W_1 + b_1) W_2 + b_2
void feed_forward(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> W_1,
                  TensorView<const float, 1> b_1, TensorView<const float, 2> W_2,
                  TensorView<const float, 1> b_2, Activation activation);

/// Y may be X. Throws std::invalid_argument where H does not divide D.
void transformer_block(TensorView<float, 3> Y, TensorView<const float, 3> X,
                       const BlockWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int H,
                       Norm norm, Activation activation, float eps);

/// Y may be X. Throws std::invalid_argument where H does not divide D.
void transformer_encoder(TensorView<float, 3> Y, TensorView<const float, 3> X,
                         const EncoderWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int H,
                         Norm norm, Activation activation, float eps);

}  // namespace attn::fast
