#pragma once
/// The errors that the CUDA API returns: that of the last call, and the sticky error of a kernel, which stays
/// until the device is reset.

#include "driver_types.h"

namespace attn::emulator {

/// Records an error for cudaGetLastError, and returns it.
cudaError_t record_error(cudaError_t error);

/// Records that a kernel failed: every call returns this error from now on.
void set_sticky_error(cudaError_t error);

/// The sticky error, or cudaSuccess.
cudaError_t sticky_error();

void forget_errors();

}  // namespace attn::emulator
