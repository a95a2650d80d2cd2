#pragma once
/// For tests: uses TensorView in a CUDA kernel. Compiled if CUDA was found.

#include <vector>

namespace attn::testing {

/// Y[b, i, j] = 2 X[b, i, j]      X, Y [B, N, D]
/// One block for each batch. X is read with three indices, Y is written through Y[b]. Throws
/// std::invalid_argument if X does not have B N D numbers, and DeviceError (device.h) if CUDA fails.
std::vector<float> double_on_device(const std::vector<float>& X, int B, int N, int D);

}  // namespace attn::testing
