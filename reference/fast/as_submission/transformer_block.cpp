// The contract's functions, answered by the yardstick.

#include "reference/fast/transformer_block.h"

namespace attn {

void layer_norm(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 1> gamma,
                TensorView<const float, 1> beta, float eps) {
    fast::layer_norm(Y, X, gamma, beta, eps);
}

void feed_forward(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> W_1,
                  TensorView<const float, 1> b_1, TensorView<const float, 2> W_2,
                  TensorView<const float, 1> b_2, Activation activation) {
    fast::feed_forward(Y, X, W_1, b_1, W_2, b_2, activation);
}

void transformer_block(TensorView<float, 3> Y, TensorView<const float, 3> X,
                       const BlockWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int H,
                       Norm norm, Activation activation, float eps) {
    fast::transformer_block(Y, X, weights, mask, H, norm, activation, eps);
}

void transformer_encoder(TensorView<float, 3> Y, TensorView<const float, 3> X,
                         const EncoderWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int H,
                         Norm norm, Activation activation, float eps) {
    fast::transformer_encoder(Y, X, weights, mask, H, norm, activation, eps);
}

}  // namespace attn
