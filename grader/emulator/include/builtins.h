#pragma once
/// CUDA's additions to the language, for g++: the qualifiers, the built-in variables, and the registration of
/// each translation unit with the run time.

#include <cstdint>
#include <source_location>

#include "vector_types.h"

// A `.cu` file tests __CUDACC__ to see whether the compiler accepts kernels.
#if !defined(__CUDACC__)
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#endif
// The device's compute capability, 8.0. Host and device code are compiled in one go, so a function for both
// takes the device's branch of `#ifdef __CUDA_ARCH__` on the host, too.
#define __CUDA_ARCH__ 800

#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
// Empty, because libstdc++ itself writes __attribute__((__noinline__)).
#define __noinline__
// One copy per block: a block runs alone, on one thread of the system, and starts with poisoned memory.
#define __shared__ thread_local

#pragma GCC visibility push(default)

// const, because they do not change within one GPU thread, which may keep them in registers. The run time
// changes them when it switches between threads.
extern const uint3 threadIdx __asm__("attn_emulator_threadIdx");
extern const uint3 blockIdx __asm__("attn_emulator_blockIdx");
extern const uint3 blockDim __asm__("attn_emulator_blockDim");
extern const uint3 gridDim __asm__("attn_emulator_gridDim");

namespace attn::emulator {

/// The source location of a call, for messages and to distinguish two barriers on one line.
using Place = std::source_location;
/// The last parameter of functions that need it; callers leave it out.
#define ATTN_CALLED_AT attn::emulator::Place place = attn::emulator::Place::current()

/// Registers a module's table of shared arrays. `anchor`: a thread_local of the module; reading it makes the
/// module's thread-local storage exist. `checked`: the module calls back on every access.
void register_module(const void* table_begin, const void* table_end, const void* anchor, bool checked);

}  // namespace attn::emulator

#pragma GCC visibility pop

#if defined(ATTN_EMULATOR)
// The linker defines these symbols for the ends of a section. They are weak, because a file without shared
// arrays has no table.
extern "C" {
extern const char __start_attn_emu_shared[] __attribute__((weak, visibility("hidden")));
extern const char __stop_attn_emu_shared[] __attribute__((weak, visibility("hidden")));
}

static thread_local char attn_emu_anchor __attribute__((used));

namespace attn::emulator {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr bool kChecked = true;
#else
constexpr bool kChecked = false;
#endif

[[maybe_unused]] const bool registered =
    (register_module(__start_attn_emu_shared, __stop_attn_emu_shared, &attn_emu_anchor, kChecked), true);

}  // namespace
}  // namespace attn::emulator
#endif

static constexpr int warpSize = 32;
