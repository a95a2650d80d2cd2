#pragma once
/// The device that is emulated, in numbers: those of common GPUs where a kernel could rely on them.

#include <cstddef>

namespace attn::emulator {

constexpr unsigned kMaxBlockZ = 64;
constexpr unsigned kMaxGridX = 2147483647;
constexpr unsigned kMaxGridYZ = 65535;
constexpr std::size_t kSharedMemory = 48 << 10;        // that a launch may ask for as it is
constexpr std::size_t kSharedMemoryOptIn = 227 << 10;  // after cudaFuncSetAttribute
constexpr std::size_t kSharedMemoryOfProcessor = 228 << 10;
constexpr int kMultiprocessors = 4;
constexpr int kThreadsOfProcessor = 2048;
constexpr int kBlocksOfProcessor = 32;
constexpr int kRegisters = 65536;

/// Dynamic shared memory that launches of this kernel may ask for.
std::size_t dynamic_limit(const void* kernel);
void set_dynamic_limit(const void* kernel, std::size_t bytes);

}  // namespace attn::emulator
