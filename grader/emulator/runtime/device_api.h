#pragma once
/// The errors that the CUDA API returns, and the limits of the emulated device.

#include <cstddef>

#include "driver_types.h"

namespace attn::emulator {

/// Records an error for cudaGetLastError, and returns it.
cudaError_t record_error(cudaError_t error);

/// Records that a kernel failed: every call returns this error from now on.
void set_sticky_error(cudaError_t error);

/// The sticky error, or cudaSuccess.
cudaError_t sticky_error();

void forget_errors();

constexpr unsigned kMaxBlockZ = 64;
constexpr unsigned kMaxGridX = 2147483647;
constexpr unsigned kMaxGridYZ = 65535;
constexpr std::size_t kSharedMemory = 48 << 10;        // the most that a launch may request by default
constexpr std::size_t kSharedMemoryOptIn = 227 << 10;  // the most after cudaFuncSetAttribute
constexpr std::size_t kSharedMemoryOfProcessor = 228 << 10;
constexpr int kMultiprocessors = 4;
constexpr int kThreadsOfProcessor = 2048;
constexpr int kBlocksOfProcessor = 32;
constexpr int kRegisters = 65536;

/// The dynamic shared memory that launches of this kernel may request.
std::size_t dynamic_limit(const void* kernel);
void set_dynamic_limit(const void* kernel, std::size_t bytes);

}  // namespace attn::emulator
