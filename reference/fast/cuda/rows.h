#pragma once
/// Layer norm, softmax and GELU at the speed of a GPU's memory. All arrays are device memory; the work is queued on
/// `stream`.

#include <cuda_runtime.h>

#include "tensor.h"

namespace attn::cuda::fast {

/// y_d = gamma_d (x_d - mu) / sqrt(var + eps) + beta_d, for each row of X [N, D]
void layer_norm_rows(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 1> gamma,
                     TensorView<const float, 1> beta, float eps, cudaStream_t stream);

/// softmax of each row of X [N, D]
void softmax_rows(TensorView<float, 2> Y, TensorView<const float, 2> X, cudaStream_t stream);

/// y = x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2, for each number
void gelu(TensorView<float, 2> Y, TensorView<const float, 2> X, cudaStream_t stream);

}  // namespace attn::cuda::fast
