#pragma once
/// For tests: TensorView inside of a CUDA kernel. Built where CUDA was found.

#include <vector>

namespace attn::testing {

/// Y[b, i, j] = 2 X[b, i, j]      X, Y [B, N, D]
/// One block for each batch; X is read by three indices, Y written through Y[b]. Throws std::invalid_argument
/// where X has not B N D numbers, DeviceError (device.h) with CUDA's words where CUDA fails.
std::vector<float> double_on_device(const std::vector<float>& X, int B, int N, int D);

}  // namespace attn::testing
