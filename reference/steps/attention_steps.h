#pragma once
/// Scaled dot-product attention on a GPU in four steps: Y = softmax(Q K^T / sqrt(D_q)) V.
///   Q [B, N_q, D_q]   K [B, N_k, D_q]   V [B, N_k, D_v]   Y [B, N_q, D_v], all of device memory
/// attention.cu says what each step gains. The work is queued on `stream`. B may be at most 65535.

#include <cuda_runtime.h>

#include "tensor.h"

namespace attn::cuda::steps {

void attend_by_threads(TensorView<float, 3> Y, TensorView<const float, 3> Q, TensorView<const float, 3> K,
                       TensorView<const float, 3> V, cudaStream_t stream);
void attend_by_warps(TensorView<float, 3> Y, TensorView<const float, 3> Q, TensorView<const float, 3> K,
                     TensorView<const float, 3> V, cudaStream_t stream);
void attend_by_tiles(TensorView<float, 3> Y, TensorView<const float, 3> Q, TensorView<const float, 3> K,
                     TensorView<const float, 3> V, cudaStream_t stream);
/// Throws std::invalid_argument if D_q or D_v is above 128.
void attend_online(TensorView<float, 3> Y, TensorView<const float, 3> Q, TensorView<const float, 3> K,
                   TensorView<const float, 3> V, cudaStream_t stream);

}  // namespace attn::cuda::steps
