#pragma once
/// Assignment 3 on a GPU: the three functions of multi_head.h, which you write in student/multi_head.cu. What
/// each has to do, with every shape, stands in multi_head.h; what is different on a GPU, in device.h. The
/// views in MultiHeadWeights are of the device's memory as well.

#include <cstdint>

#include <cuda_runtime.h>

#include "multi_head.h"

namespace attn::cuda {

void split_heads(TensorView<float, 4> Y, TensorView<const float, 3> X, cudaStream_t stream);

void merge_heads(TensorView<float, 3> Y, TensorView<const float, 4> X, cudaStream_t stream);

void multi_head_attention(TensorView<float, 3> Y, TensorView<const float, 3> X_q,
                          TensorView<const float, 3> X_kv, const MultiHeadWeights<float>& weights,
                          TensorView<const std::uint8_t, 3> mask, int H, cudaStream_t stream);

}  // namespace attn::cuda
