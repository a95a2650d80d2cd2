#pragma once
/// The limits of the emulated device. Where a kernel could rely on one, it is that of common GPUs.

#include <cstddef>

namespace attn::emulator {

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
