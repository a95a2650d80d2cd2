#pragma once
/// Fibres: the stacks of the threads of a GPU block, which run in turns, and the switch between two of them.

#include <cstddef>
#include <cstdint>

namespace attn::emulator {

constexpr std::size_t kStackSize = 128 << 10;
constexpr std::size_t kGuardSize = 64 << 10;

/// Saves the callee-saved registers on this stack, stores the stack pointer in `*from`, and continues the
/// context `to`.
extern "C" void attn_emulator_switch(void** from, void* to);

/// Takes a stack from a pool. Returns its lowest address.
std::uintptr_t take_stack();
void return_stack(std::uintptr_t stack);

/// Where the first frame on `stack` begins. Different values of `colour` are in different cache sets.
std::uintptr_t stack_top(std::uintptr_t stack, std::size_t colour);

/// A context that starts `entry` on `stack`, at stack_top(). `entry` is the same function in all calls.
void* new_context(std::uintptr_t stack, std::size_t colour, void (*entry)());

/// True if `address` is in the guard pages below a stack.
bool in_a_guard(std::uintptr_t address);

/// The top of a spare stack, for code that runs while no fibre's stack can be trusted.
std::uintptr_t spare_stack_top();

}  // namespace attn::emulator
