#pragma once
/// Fibres: the stacks on which the threads of a GPU block take turns, and the switch between two of them.

#include <cstddef>
#include <cstdint>

namespace attn::emulator {

constexpr std::size_t kStackSize = 128 << 10;
constexpr std::size_t kGuardSize = 64 << 10;

/// Keeps the registers that a function must keep on this stack, leaves the stack's place in `*from`, and goes
/// on where `to` was left.
extern "C" void attn_emulator_switch(void** from, void* to);

/// A stack, its lowest address; from a pool, as blocks follow one another.
std::uintptr_t take_stack();
void give_stack_back(std::uintptr_t stack);

/// A context that starts `entry` on `stack`; `colour` keeps the tops of the stacks out of one cache set.
void* new_context(std::uintptr_t stack, std::size_t colour, void (*entry)());

/// True where `address` is in the guard below some stack.
bool in_a_guard(std::uintptr_t address);

/// SizeBudget for what must run while no fibre's stack can be trusted: the top of it.
std::uintptr_t spare_stack_top();

}  // namespace attn::emulator
