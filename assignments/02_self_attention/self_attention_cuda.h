#pragma once
/// Assignment 2 on a GPU: the three functions of self_attention.h, which you write in
/// student/self_attention.cu. What each has to do, with every shape, stands in self_attention.h; what is
/// different on a GPU, in device.h.

#include <cuda_runtime.h>

#include "self_attention.h"

namespace attn::cuda {

void softmax(TensorView<float, 2> Y, TensorView<const float, 2> X, cudaStream_t stream);

void scaled_dot_product_attention(TensorView<float, 3> Y, TensorView<float, 3> A,
                                  TensorView<const float, 3> Q, TensorView<const float, 3> K,
                                  TensorView<const float, 3> V, cudaStream_t stream);

void self_attention(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> W_Q,
                    TensorView<const float, 2> W_K, TensorView<const float, 2> W_V, cudaStream_t stream);

}  // namespace attn::cuda
