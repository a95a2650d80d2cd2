#pragma once
/// What runs now: the launch, its block, its threads, and the counters by which accesses are ordered.

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

#include "driver_types.h"
#include "launch.h"
#include "vector_types.h"
#include "warp.h"

namespace attn::emulator {

struct Module;
struct Cell;

enum class State : std::uint8_t { kNew, kReady, kAtBarrier, kInWarp, kDone };

/// One thread of the block that runs.
struct Thread {
    State state = State::kNew;
    std::uint16_t id = 0;
    uint3 index{};
    std::uintptr_t stack = 0;
    void* context = nullptr;
    Place place;          // where it waits
    bool fenced = false;  // a fence came after its last writes
    unsigned turns = 0;   // atomics since it last let others run
    // Orders accesses between barriers: this thread's count of warp meetings, and up to which count of each
    // other lane it knows what happened. Both start afresh with the `interval` in which they are used.
    std::uint32_t clock = 1;
    std::uint32_t interval = 0;
    std::uint32_t seen[32] = {};
};

constexpr unsigned kMaxThreads = 1024;
constexpr unsigned kWarpLanes = 32;

/// The launch that runs.
struct Launch {
    detail::Request request{};
    dim3 grid, block;
    std::size_t shared = 0;
    const Module* module = nullptr;
    std::uint32_t first_interval = 0;
    cudaError_t error = cudaSuccess;
    std::vector<std::uint32_t> block_order;      // linear indices, in the order in which they run
    std::vector<std::uint32_t> block_intervals;  // the interval with which each of those began
};

struct Device {
    Thread* thread = nullptr;  // null: the host runs, or the scheduler
    Thread threads[kMaxThreads];
    unsigned thread_count = 0;
    Launch launch;
    bool running = false;
    bool checked = false;        // the kernel that runs calls back on every access
    bool attention = false;      // something waits to be looked at before the next access
    std::uint64_t switches = 0;  // times that a thread was given its turn
    bool fenced = false;         // the launch came to a fence: blocks may be ordered by one
    bool host_watched = false;   // some host memory belongs to queued copies
    // Of the module whose kernel runs: its shared memory and that memory's shadow.
    std::uintptr_t shared_start = 0;
    std::size_t shared_size = 0;
    Cell* shared_cells = nullptr;
    std::uint32_t interval = 0;  // grows with every barrier and every block, and never repeats
    std::uint32_t block_first = 0;
};

// Hidden, as every access to memory looks at it: no detour by the table of what is seen from outside.
extern Device device __attribute__((visibility("hidden")));

/// The built-in variables, which kernels see as constants.
#pragma GCC visibility push(default)
extern uint3 thread_index __asm__("attn_emulator_threadIdx");
extern uint3 block_index __asm__("attn_emulator_blockIdx");
extern uint3 block_size __asm__("attn_emulator_blockDim");
extern uint3 grid_size __asm__("attn_emulator_gridDim");
#pragma GCC visibility pop

/// Brings a thread's clocks into the interval of now.
inline void refresh(Thread& thread) {
    if (thread.interval == device.interval) return;
    thread.interval = device.interval;
    thread.clock = 1;
    for (std::uint32_t& lane : thread.seen) lane = 0;
}

/// The next number of the order that the seed gives; below(n) is at least 0 and less than n.
void seed_order(std::uint64_t seed);
std::uint32_t below(std::uint32_t n);

/// "thread (3,0,0) of block (0,1,0) of kernel softmax", "block (0,1,0)", "(3,0,0)".
std::string triple(unsigned x, unsigned y, unsigned z);
std::string thread_name(unsigned id);
std::string block_name(std::uint32_t linear);
std::string who();

/// "softmax.cu:12", and "@{MODULE+0xHEX}" for the call that returns to `pc`.
std::string place_name(const Place& place);
std::string place_name(const char* file, int line);
std::string place_of(std::uintptr_t pc);

/// Ends the launch that runs with this error, which stays until the device is reset.
[[noreturn]] void leave_launch(cudaError_t error);

/// Looks at what device.attention announced: a write to be compared, an index outside of its array, or time
/// that is up. `address`: what the next access is to touch.
void attend(std::uintptr_t pc, std::uintptr_t address = 0);

}  // namespace attn::emulator
