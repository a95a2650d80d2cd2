#pragma once
/// Runs the threads of one block in turns, each until it waits or returns. Each runs on a fibre: a stack of its
/// own. The order is drawn by seed.

#include <cstddef>
#include <cstdint>
#include <string>

#include "device_state.h"

namespace attn::emulator {

constexpr std::size_t kStackSize = 128 << 10;
constexpr std::size_t kGuardSize = 64 << 10;

/// True if `address` is in the guard pages below a stack.
bool in_a_guard(std::uintptr_t address);

/// The random numbers that decide execution orders. random_below(n) is at least 0 and less than n.
void seed_order(std::uint64_t seed);
std::uint32_t random_below(std::uint32_t n);

/// Runs every block of device.launch; false where the launch was left.
bool run_blocks();

/// Lets others run until the running thread can continue. The thread must have recorded what it waits for.
void wait();

/// A waiting thread can continue: it runs after those that were ready before.
void make_ready(Thread& thread);

/// yield_turn lets the other threads run first; yield_occasionally does so in one of 64 calls. A thread that
/// spins must not keep the thread that it waits for from running.
void yield_turn();
void yield_occasionally();

/// Where the threads of the block are: "thread (0,0,0), like 31 more, waits in a.cu:7; ..".
std::string where_threads_are();

/// Resets the warps when a block begins.
void begin_warps();
/// Records that a thread has returned from the kernel.
void leave_warp(const Thread& thread);

}  // namespace attn::emulator
