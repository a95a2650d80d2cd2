#pragma once
/// Asynchronous copies from global to shared memory that a thread has queued and not waited for.

#include <cstddef>
#include <cstdint>

namespace attn::emulator {

/// The place in the code of a copy to this byte that is still queued; 0 if there is none.
std::uintptr_t queued_copy_to(std::uintptr_t address);

/// At the end of a block: copies that no thread has waited for are never made.
void forget_copies();

}  // namespace attn::emulator
