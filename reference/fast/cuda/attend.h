#pragma once
/// Attention at a GPU's speed, with the accuracy of fp32: the yardstick for kernels.
///   Y = softmax(Q K^T / sqrt(D_q)) V      Q [B, N_q, D_q], K [B, N_k, D_q], V [B, N_k, D_v], Y [B, N_q, D_v]
/// `causal`: query i may attend to the keys j <= i + (N_k - N_q). A query without any key gives zeros.
/// All arrays are device memory, aligned to 16 bytes as cudaMalloc aligns it. The work is queued on `stream`.

#include <cuda_runtime.h>

#include "tensor.h"

namespace attn::cuda::fast {

/// For D_q = D_v = 64 or 128 on tensor cores (compute capability 8.0 or newer), else attend_simt().
void attend(TensorView<float, 3> Y, TensorView<const float, 3> Q, TensorView<const float, 3> K,
            TensorView<const float, 3> V, bool causal, cudaStream_t stream);

/// An exhibit: the same kernel with products in bf16, thousands of rounding errors of fp32 away, about 1e-2. Its
/// arrays are fp32, so it shows what bf16 costs, and not how fast it can be. Throws std::invalid_argument unless
/// D_q = D_v = 64, on tensor cores.
void attend_in_bf16(TensorView<float, 3> Y, TensorView<const float, 3> Q, TensorView<const float, 3> K,
                    TensorView<const float, 3> V, bool causal, cudaStream_t stream);

/// Any D_q and D_v, without tensor cores.
void attend_simt(TensorView<float, 3> Y, TensorView<const float, 3> Q, TensorView<const float, 3> K,
                 TensorView<const float, 3> V, bool causal, cudaStream_t stream);

}  // namespace attn::cuda::fast
