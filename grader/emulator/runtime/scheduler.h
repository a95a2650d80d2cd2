#pragma once
/// Runs the threads of one block in turns, each until it waits or returns.

#include <cstdint>

#include "device.h"

namespace attn::emulator {

/// Runs every block of device.launch; false where the launch was left.
bool run_blocks();

/// The running thread has put down what it waits for: others run until it can go on.
void wait();

/// A thread that waited can go on: it runs after those that were ready before.
void make_ready(Thread& thread);

/// Lets the others run first, now and then: a thread that spins on another must not keep it from running.
void take_turns();

/// "threads (0,0,0) and 31 more wait in a.cu:7; ..": where the threads of the block are.
std::string where_threads_are();

/// Warps of a block that begins: nobody waits in them.
void begin_warps();
/// A thread has returned.
void leave_warp(const Thread& thread);

}  // namespace attn::emulator
