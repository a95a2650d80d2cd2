#pragma once
/// The error that a caller will be told: of the last call, or of a kernel, which stays until the device is
/// reset.

#include "driver_types.h"

namespace attn::emulator {

/// Keeps an error for cudaGetLastError, and hands it on.
cudaError_t remember(cudaError_t error);

/// A kernel failed: every call says so from now on.
void stick(cudaError_t error);

/// The error that stuck, or cudaSuccess.
cudaError_t stuck_error();

void forget_errors();

}  // namespace attn::emulator
