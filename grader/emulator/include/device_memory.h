#pragma once
/// new and delete, whose memory is the device's heap in a kernel. (malloc and free: checked_bytes.h.)

#include <cstddef>
#include <cstdint>
#include <new>

#pragma GCC visibility push(default)

namespace attn::emulator {

/// Memory of the device's heap in a kernel, of the C library's on the host; null if there is none left. `pc`:
/// the place of the call.
void* allocate_here(std::size_t size, std::uintptr_t pc);
void free_here(void* pointer, std::uintptr_t pc);

/// True while a kernel runs, that is, in device code.
bool in_kernel();

}  // namespace attn::emulator

#pragma GCC visibility pop

#if defined(ATTN_EMULATOR)
// Weak and hidden: each module has one definition of its own, which other modules do not see. g++ ignores the
// attribute for hidden symbols here.
__asm__(".hidden _Znwm, _Znam, _ZdlPv, _ZdaPv, _ZdlPvm, _ZdaPvm");
#define ATTN_EMULATOR_OPERATOR __attribute__((weak, noinline, no_sanitize("thread")))
#define ATTN_EMULATOR_PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

ATTN_EMULATOR_OPERATOR void* operator new(std::size_t size) {
    void* const memory = attn::emulator::allocate_here(size == 0 ? 1 : size, ATTN_EMULATOR_PC);
    if (memory == nullptr && !attn::emulator::in_kernel()) throw std::bad_alloc();
    return memory;
}
ATTN_EMULATOR_OPERATOR void* operator new[](std::size_t size) {
    void* const memory = attn::emulator::allocate_here(size == 0 ? 1 : size, ATTN_EMULATOR_PC);
    if (memory == nullptr && !attn::emulator::in_kernel()) throw std::bad_alloc();
    return memory;
}
ATTN_EMULATOR_OPERATOR void operator delete(void* memory) noexcept {
    attn::emulator::free_here(memory, ATTN_EMULATOR_PC);
}
ATTN_EMULATOR_OPERATOR void operator delete[](void* memory) noexcept {
    attn::emulator::free_here(memory, ATTN_EMULATOR_PC);
}
ATTN_EMULATOR_OPERATOR void operator delete(void* memory, std::size_t) noexcept {
    attn::emulator::free_here(memory, ATTN_EMULATOR_PC);
}
ATTN_EMULATOR_OPERATOR void operator delete[](void* memory, std::size_t) noexcept {
    attn::emulator::free_here(memory, ATTN_EMULATOR_PC);
}

#undef ATTN_EMULATOR_OPERATOR
#undef ATTN_EMULATOR_PC
#endif
