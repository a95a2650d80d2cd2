#pragma once
/// Assignment 4 on a GPU: the five functions of masking.h, which you write in student/masking.cu. What each
/// has to do, with every shape, stands in masking.h; what is different on a GPU, in device.h.

#include <cstdint>

#include <cuda_runtime.h>

#include "masking.h"

namespace attn::cuda {

void causal_mask(TensorView<std::uint8_t, 2> M, cudaStream_t stream);

void padding_mask(TensorView<std::uint8_t, 3> M, TensorView<const int, 1> lengths, cudaStream_t stream);

void combine_masks(TensorView<std::uint8_t, 3> M, TensorView<const std::uint8_t, 2> causal,
                   TensorView<const std::uint8_t, 3> padding, cudaStream_t stream);

void masked_softmax(TensorView<float, 2> Y, TensorView<const float, 2> X,
                    TensorView<const std::uint8_t, 2> mask, cudaStream_t stream);

void masked_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                      TensorView<const float, 3> K, TensorView<const float, 3> V,
                      TensorView<const std::uint8_t, 3> mask, cudaStream_t stream);

}  // namespace attn::cuda
