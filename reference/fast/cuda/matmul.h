#pragma once
/// Products of matrices on a GPU by cuBLAS, with the accuracy of fp32: no number is rounded to tf32 or bf16.
/// All arrays are device memory; the work is queued on `stream`. (fast/matmul.h is the same for a processor.)

#include <cuda_runtime.h>

#include "tensor.h"

namespace attn::cuda::fast {

/// C = A B      A [N, D], B [D, M], C [N, M]
void multiply(TensorView<float, 2> C, TensorView<const float, 2> A, TensorView<const float, 2> B,
              cudaStream_t stream);

/// C_b = factor A_b B_b^T for each batch b      A [B, N, D], B [B, M, D], C [B, N, M]
void multiply_transposed(TensorView<float, 3> C, TensorView<const float, 3> A, TensorView<const float, 3> B,
                         float factor, cudaStream_t stream);

/// A linear layer, Y = X W + b      X [N, D_in], W [D_in, D_out], b [D_out], Y [N, D_out]
void linear(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> W,
            TensorView<const float, 1> b, cudaStream_t stream);

}  // namespace attn::cuda::fast
