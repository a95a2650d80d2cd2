/// The functions that -fsanitize=thread calls, in the place of libtsan's: every access of checked code comes
/// here.

#include <cstddef>
#include <cstdint>

#include "device.h"
#include "heap.h"
#include "ordering.h"
#include "scheduler.h"
#include "shadow.h"

using attn::emulator::Access;

namespace {

std::uintptr_t number(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer);
}

/// volatile is how blocks speak to each other without atomics: in global memory it is taken for such. Who
/// reads one again and again waits for another thread, which must come to its turn.
void volatile_access(void* pointer, std::size_t size, Access access, std::uintptr_t pc) {
    const std::uintptr_t address = number(pointer);
    if (attn::emulator::device.thread != nullptr) {
        if (attn::emulator::device.attention) attn::emulator::attend(pc, address);
        if (access == Access::kRead) attn::emulator::take_turns();
        if (attn::emulator::in_heap(address)) attn::emulator::order_by_atomic(address);
    }
    attn::emulator::check_access(address, size, access, pc, true, attn::emulator::in_heap(address));
}

}  // namespace

// The names are the compiler's; a macro writes the five sizes down once.
#define ATTN_EMULATOR_PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))
#define ATTN_EMULATOR_ACCESS(n)                                              \
    void __tsan_read##n(void* p) {                                           \
        check_access(number(p), n, Access::kRead, ATTN_EMULATOR_PC, true);   \
    }                                                                        \
    void __tsan_write##n(void* p) {                                          \
        check_access(number(p), n, Access::kWrite, ATTN_EMULATOR_PC, true);  \
    }                                                                        \
    void __tsan_unaligned_read##n(void* p) {                                 \
        check_access(number(p), n, Access::kRead, ATTN_EMULATOR_PC, false);  \
    }                                                                        \
    void __tsan_unaligned_write##n(void* p) {                                \
        check_access(number(p), n, Access::kWrite, ATTN_EMULATOR_PC, false); \
    }                                                                        \
    void __tsan_volatile_read##n(void* p) {                                  \
        volatile_access(p, n, Access::kRead, ATTN_EMULATOR_PC);              \
    }                                                                        \
    void __tsan_volatile_write##n(void* p) {                                 \
        volatile_access(p, n, Access::kWrite, ATTN_EMULATOR_PC);             \
    }                                                                        \
    void __tsan_unaligned_volatile_read##n(void* p) {                        \
        volatile_access(p, n, Access::kRead, ATTN_EMULATOR_PC);              \
    }                                                                        \
    void __tsan_unaligned_volatile_write##n(void* p) {                       \
        volatile_access(p, n, Access::kWrite, ATTN_EMULATOR_PC);             \
    }

#pragma GCC visibility push(default)
extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

using attn::emulator::check_access;
ATTN_EMULATOR_ACCESS(1)
ATTN_EMULATOR_ACCESS(2)
ATTN_EMULATOR_ACCESS(4)
ATTN_EMULATOR_ACCESS(8)
ATTN_EMULATOR_ACCESS(16)

void __tsan_read_range(void* p, std::size_t size) {
    if (size > 0) check_access(number(p), size, Access::kRead, ATTN_EMULATOR_PC, false);
}
void __tsan_write_range(void* p, std::size_t size) {
    if (size > 0) check_access(number(p), size, Access::kWrite, ATTN_EMULATOR_PC, false);
}

}  // extern "C"
#pragma GCC visibility pop
