/// The functions that -fsanitize=thread calls for std::atomic and for the guards of static variables. Only
/// one thread runs at a time, so no real atomics are needed.

#include <cstdint>

namespace {

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
#define ATTN_EMULATOR_ATOMICS(bits, T)                                                             \
    T __tsan_atomic##bits##_load(const volatile T* p, int) {                                       \
        return *p;                                                                                 \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile T* p, T v, int) {                                    \
        *p = v;                                                                                    \
    }                                                                                              \
    T __tsan_atomic##bits##_exchange(volatile T* p, T v, int) {                                    \
        return exchange<T>(p, v);                                                                  \
    }                                                                                              \
    T __tsan_atomic##bits##_fetch_add(volatile T* p, T v, int) {                                   \
        return exchange<T>(p, T(*p + v));                                                          \
    }                                                                                              \
    T __tsan_atomic##bits##_fetch_sub(volatile T* p, T v, int) {                                   \
        return exchange<T>(p, T(*p - v));                                                          \
    }                                                                                              \
    T __tsan_atomic##bits##_fetch_and(volatile T* p, T v, int) {                                   \
        return exchange<T>(p, T(*p & v));                                                          \
    }                                                                                              \
    T __tsan_atomic##bits##_fetch_or(volatile T* p, T v, int) {                                    \
        return exchange<T>(p, T(*p | v));                                                          \
    }                                                                                              \
    T __tsan_atomic##bits##_fetch_xor(volatile T* p, T v, int) {                                   \
        return exchange<T>(p, T(*p ^ v));                                                          \
    }                                                                                              \
    T __tsan_atomic##bits##_fetch_nand(volatile T* p, T v, int) {                                  \
        return exchange<T>(p, T(~(*p & v)));                                                       \
    }                                                                                              \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* expected, T v, int, int) { \
        return compare_exchange<T>(p, expected, v);                                                \
    }                                                                                              \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile T* p, T* expected, T v, int, int) {   \
        return compare_exchange<T>(p, expected, v);                                                \
    }                                                                                              \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T expected, T v, int, int) {       \
        compare_exchange<T>(p, &expected, v);                                                      \
        return expected;                                                                           \
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
