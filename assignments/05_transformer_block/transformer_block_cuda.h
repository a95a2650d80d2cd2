#pragma once
/// Assignment 5 on a GPU: the four functions of transformer_block.h, which you write in
/// student/transformer_block.cu. What each has to do, with every shape, stands in transformer_block.h; what
/// is different on a GPU, in device.h. The views in BlockWeights and EncoderWeights are of the device's
/// memory as well.

#include <cstdint>

#include <cuda_runtime.h>

#include "transformer_block.h"

namespace attn::cuda {

void layer_norm(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 1> gamma,
                TensorView<const float, 1> beta, float eps, cudaStream_t stream);

void feed_forward(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> W_1,
                  TensorView<const float, 1> b_1, TensorView<const float, 2> W_2,
                  TensorView<const float, 1> b_2, Activation activation, cudaStream_t stream);

void transformer_block(TensorView<float, 3> Y, TensorView<const float, 3> X,
                       const BlockWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int H,
                       Norm norm, Activation activation, float eps, cudaStream_t stream);

void transformer_encoder(TensorView<float, 3> Y, TensorView<const float, 3> X,
                         const EncoderWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int H,
                         Norm norm, Activation activation, float eps, cudaStream_t stream);

}  // namespace attn::cuda
