/// The functions that -fsanitize=thread calls for std::atomic and for the guards of static variables. Only
/// one thread runs at a time, so no real atomics are needed. A GPU has no such functions, and nvcc refuses
/// them in kernels: there they count as ordinary accesses, which race.

#include <cstdint>

#include "device_state.h"
#include "shadow.h"

namespace {

using attn::emulator::Access;

template <class T>
void check(const volatile T* pointer, Access access, std::uintptr_t pc) {
    attn::emulator::check_access(reinterpret_cast<std::uintptr_t>(pointer), sizeof(T), access, pc, true);
}

template <class T>
void check_update(const volatile T* pointer, std::uintptr_t pc) {
    check(pointer, Access::kRead, pc);
    check(pointer, Access::kWrite, pc);
}

template <class T>
T exchange(volatile T* address, T value) {
    const T old = *address;
    *address = value;
    return old;
}

template <class T>
bool compare_exchange(volatile T* address, T* expected, T desired) {
    const T old = *address;
    if (old == *expected) {
        *address = desired;
        return true;
    }
    *expected = old;
    return false;
}

}  // namespace

// Twelve functions for each of four sizes, with the names that the compiler prescribes.
#define ATTN_EMULATOR_PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))
#define ATTN_EMULATOR_UPDATE(bits, T, name, value)            \
    T __tsan_atomic##bits##_##name(volatile T* p, T v, int) { \
        check_update<T>(p, ATTN_EMULATOR_PC);                 \
        return exchange<T>(p, T(value));                      \
    }
#define ATTN_EMULATOR_COMPARE(bits, T, name)                                      \
    int __tsan_atomic##bits##_##name(volatile T* p, T* expected, T v, int, int) { \
        check_update<T>(p, ATTN_EMULATOR_PC);                                     \
        return compare_exchange<T>(p, expected, v);                               \
    }
#define ATTN_EMULATOR_ATOMICS(bits, T)                                                       \
    T __tsan_atomic##bits##_load(const volatile T* p, int) {                                 \
        check<T>(p, Access::kRead, ATTN_EMULATOR_PC);                                        \
        return *p;                                                                           \
    }                                                                                        \
    void __tsan_atomic##bits##_store(volatile T* p, T v, int) {                              \
        check<T>(p, Access::kWrite, ATTN_EMULATOR_PC);                                       \
        *p = v;                                                                              \
    }                                                                                        \
    ATTN_EMULATOR_UPDATE(bits, T, exchange, v)                                               \
    ATTN_EMULATOR_UPDATE(bits, T, fetch_add, *p + v)                                         \
    ATTN_EMULATOR_UPDATE(bits, T, fetch_sub, *p - v)                                         \
    ATTN_EMULATOR_UPDATE(bits, T, fetch_and, *p& v)                                          \
    ATTN_EMULATOR_UPDATE(bits, T, fetch_or, *p | v)                                          \
    ATTN_EMULATOR_UPDATE(bits, T, fetch_xor, *p ^ v)                                         \
    ATTN_EMULATOR_UPDATE(bits, T, fetch_nand, ~(*p & v))                                     \
    ATTN_EMULATOR_COMPARE(bits, T, compare_exchange_strong)                                  \
    ATTN_EMULATOR_COMPARE(bits, T, compare_exchange_weak)                                    \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T expected, T v, int, int) { \
        check_update<T>(p, ATTN_EMULATOR_PC);                                                \
        compare_exchange<T>(p, &expected, v);                                                \
        return expected;                                                                     \
    }

#pragma GCC visibility push(default)
extern "C" {

ATTN_EMULATOR_ATOMICS(8, std::uint8_t)
ATTN_EMULATOR_ATOMICS(16, std::uint16_t)
ATTN_EMULATOR_ATOMICS(32, std::uint32_t)
ATTN_EMULATOR_ATOMICS(64, std::uint64_t)
void __tsan_atomic_thread_fence(int) {}
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
#pragma GCC visibility pop
