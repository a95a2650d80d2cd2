#pragma once
/// Asynchronous copies from global to shared memory (cp.async). A copy is queued, and its bytes arrive when the thread that
/// queued it waits for it. Until then the destination holds NaN, and reading it is a finding.

#include <cstddef>
#include <type_traits>

#include "builtins.h"

#pragma GCC visibility push(default)

namespace attn::emulator {

/// Queues a copy of `size` bytes (4, 8 or 16), of which the first `used` come from `from` and the others are 0.
void queue_copy(void* to, const void* from, std::size_t size, std::size_t used);
/// Ends a group: the copies that this thread has queued since the last one.
void commit_copies();
/// Waits for all groups of this thread but its latest `groups`.
void wait_for_copies(unsigned groups);
/// Waits for all copies of this thread, whether they are in a group or not.
void wait_for_all_copies();

/// The number that addresses an object in shared memory in PTX, and the way back.
std::size_t shared_offset(const void* pointer);
void* shared_pointer(std::size_t offset);

/// Queues a copy of any size as copies of 16, 8 or 4 bytes if it goes from global to shared memory. Any other copy is made at
/// once, as on a GPU.
void queue_copies(void* to, const void* from, std::size_t size);

}  // namespace attn::emulator

#pragma GCC visibility pop

inline std::size_t __cvta_generic_to_shared(const void* pointer) {
    return attn::emulator::shared_offset(pointer);
}
inline void* __cvta_shared_to_generic(std::size_t offset) {
    return attn::emulator::shared_pointer(offset);
}
inline std::size_t __cvta_generic_to_global(const void* pointer) {
    return reinterpret_cast<std::size_t>(pointer);
}

namespace attn::emulator {

/// The operands of PTX instructions. A number stands for an address of shared or global memory.
template <class T>
void* shared_operand(T address) {
    if constexpr (std::is_pointer_v<T>)
        return const_cast<void*>(static_cast<const volatile void*>(address));
    else
        return shared_pointer(static_cast<std::size_t>(address));
}
template <class T>
const void* global_operand(T address) {
    if constexpr (std::is_pointer_v<T>)
        return const_cast<const void*>(static_cast<const volatile void*>(address));
    else
        return reinterpret_cast<const void*>(static_cast<std::size_t>(address));
}

/// cp.async.ca.shared.global [to], [from], size, used;
template <class To, class From>
[[gnu::always_inline]] inline void ptx_copy(To to, From from, std::size_t size, std::size_t used) {
    queue_copy(shared_operand(to), global_operand(from), size, used < size ? used : size);
}
template <class To, class From>
[[gnu::always_inline]] inline void ptx_copy(To to, From from, std::size_t size) {
    ptx_copy(to, from, size, size);
}

}  // namespace attn::emulator
