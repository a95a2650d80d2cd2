#pragma once
/// The state of the emulated device: the running launch, its block, its threads, and the counters that order
/// accesses.

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <vector>

#include "driver_types.h"
#include "kernel_launch.h"
#include "vector_types.h"
#include "warp.h"

namespace attn::emulator {

struct Module;
struct Cell;

enum class State : std::uint8_t { kNew, kReady, kAtBarrier, kInWarp, kDone };

/// One thread of the running block.
struct Thread {
    State state = State::kNew;
    std::uint16_t id = 0;
    uint3 index{};
    std::uintptr_t stack = 0;
    void* context = nullptr;
    Place place;                     // the call that it waits in
    bool fenced = false;             // it has passed a fence since its last writes
    unsigned turns = 0;              // its atomics, counted to let other threads run from time to time
    std::uintptr_t last_atomic = 0;  // the address of its latest one
    // A vector clock that orders accesses between barriers: `clock` counts this thread's warp
    // synchronisations, and `seen` holds the latest clock of each other lane that is ordered before this
    // thread. Both are reset when a new `interval` begins.
    std::uint32_t clock = 1;
    std::uint32_t interval = 0;
    std::uint32_t seen[32] = {};
};

constexpr unsigned kMaxThreads = 1024;
constexpr unsigned kWarpLanes = 32;

/// The running launch.
struct Launch {
    detail::Request request{};
    dim3 grid, block;
    std::size_t shared = 0;
    const Module* module = nullptr;
    std::uint32_t first_interval = 0;
    std::uint32_t ordered_before = 0;  // accesses of intervals below it are ordered before the launch
    cudaError_t error = cudaSuccess;
    std::vector<std::uint32_t> block_order;      // linear indices, in execution order
    std::vector<std::uint32_t> block_intervals;  // the first interval of each of those blocks
};

struct Device {
    Thread* thread = nullptr;  // null while the host or the scheduler runs
    Thread threads[kMaxThreads];
    unsigned thread_count = 0;
    Launch launch;
    bool running = false;
    bool checked = false;             // the running kernel calls back on every access
    bool has_pending_checks = false;  // see run_pending_checks()
    std::uint64_t switches = 0;       // how often a thread was switched to
    bool fenced = false;              // the launch has executed a fence, so fences may order blocks
    bool host_watched = false;        // a queued copy still uses some host memory
    std::size_t queued_copies = 0;    // asynchronous copies of the block's threads: see queued_copies.h
    // The shared memory of the running kernel's module, and its shadow memory.
    std::uintptr_t shared_start = 0;
    std::size_t shared_size = 0;
    Cell* shared_cells = nullptr;
    std::uint32_t interval = 0;  // grows with every barrier and every block, and never repeats
    std::uint32_t block_first = 0;
};

// Hidden, because every access to memory reads it: a hidden symbol needs no look-up in the offset table.
extern Device device __attribute__((visibility("hidden")));

/// The built-in variables, which kernels see as constants.
#pragma GCC visibility push(default)
extern uint3 thread_index __asm__("attn_emulator_threadIdx");
extern uint3 block_index __asm__("attn_emulator_blockIdx");
extern uint3 block_size __asm__("attn_emulator_blockDim");
extern uint3 grid_size __asm__("attn_emulator_gridDim");
#pragma GCC visibility pop

/// In a function that emulated code calls: the address that the call returns to.
#define ATTN_EMULATOR_PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

/// Resets a thread's clocks if they belong to an earlier interval.
inline void refresh(Thread& thread) {
    if (thread.interval == device.interval) return;
    thread.interval = device.interval;
    thread.clock = 1;
    for (std::uint32_t& lane : thread.seen) lane = 0;
}

/// Ends the running launch with this error, which stays until the device is reset.
[[noreturn]] void leave_launch(cudaError_t error);

/// Does the checks that device.has_pending_checks announces before the next access: it compares the bytes of
/// a racing write, reports an index outside its array, or ends a launch whose time is up. `address`: of the
/// next access.
void run_pending_checks(std::uintptr_t pc, std::uintptr_t address = 0);

}  // namespace attn::emulator
