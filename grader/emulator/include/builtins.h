#pragma once
/// What CUDA adds to the language, for g++: the qualifiers, the built-in variables, and the registration of
/// each translation unit with the run time.

#include <cstdint>
#include <source_location>

#include "vector_types.h"

// A `.cu` file asks __CUDACC__ whether kernels may be written here; they may.
#if !defined(__CUDACC__)
#define __CUDACC__ 1
#endif

#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
// Empty, as libstdc++ says __attribute__((__noinline__)) and would not understand more.
#define __noinline__
// One copy for each block: a block runs alone and on one thread, and starts with poisoned memory.
#define __shared__ thread_local

#pragma GCC visibility push(default)

// const: they do not change within one GPU thread, which may keep them in registers. The run time changes
// them where it switches between threads.
extern const uint3 threadIdx __asm__("attn_emulator_threadIdx");
extern const uint3 blockIdx __asm__("attn_emulator_blockIdx");
extern const uint3 blockDim __asm__("attn_emulator_blockDim");
extern const uint3 gridDim __asm__("attn_emulator_gridDim");

namespace attn::emulator {

/// Where a call stands in the source, for messages and for telling two barriers on one line apart.
using Place = std::source_location;

/// Makes a module's table of shared arrays known. `anchor`: a thread_local of the module, so that its block
/// of thread-local storage exists. `checked`: compiled with the callbacks on every access.
void register_module(const void* table_begin, const void* table_end, const void* anchor, bool checked);

}  // namespace attn::emulator

#pragma GCC visibility pop

#if defined(ATTN_EMULATOR)
// The linker names the ends of a section; weak, as a file without shared arrays has no table.
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
