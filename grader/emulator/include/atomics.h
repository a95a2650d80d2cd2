#pragma once
/// The atomic functions. The run time does the update: no other thread runs in between there, and the checks
/// do not see its read and its write as ordinary accesses.

#include <cstdint>

#include "warp.h"

#pragma GCC visibility push(default)

namespace attn::emulator {

enum class Atomic : std::uint8_t {
    kAdd,
    kSubtract,
    kMaximum,
    kMinimum,
    kExchange,
    kCompare,
    kAnd,
    kOr,
    kXor,
    kIncrement,
    kDecrement
};
enum class Number : std::uint8_t { kInt, kUnsigned, kLong, kUnsignedLong, kFloat, kDouble, kShort };

/// Updates the number at `address` and returns its old bits. `compare`: only for kCompare.
std::uint64_t atomic_update(void* address, Atomic what, Number type, std::uint64_t operand,
                            std::uint64_t compare = 0);

namespace detail {

template <class T>
constexpr Number number() {
    if constexpr (std::is_same_v<T, float>)
        return Number::kFloat;
    else if constexpr (std::is_same_v<T, double>)
        return Number::kDouble;
    else if constexpr (sizeof(T) == 2)
        return Number::kShort;
    else if constexpr (sizeof(T) == 4)
        return std::is_signed_v<T> ? Number::kInt : Number::kUnsigned;
    else
        return std::is_signed_v<T> ? Number::kLong : Number::kUnsignedLong;
}

/// The types that have atomic functions; `short` and `bool` have none.
template <class T>
concept AtomicNumber = std::is_arithmetic_v<T> &&(sizeof(T) == 4 || sizeof(T) == 8);
template <class T>
concept AtomicInteger = AtomicNumber<T> && std::is_integral_v<T>;

/// Inlined into the kernel's code, so that the place of an access is the kernel's line.
template <class T>
[[gnu::always_inline]] inline T atomic(T* address, Atomic what, T operand, T compare = T{}) {
    return from_bits<T>(atomic_update(const_cast<std::remove_volatile_t<T>*>(address), what, number<T>(),
                                      to_bits(operand), to_bits(compare)));
}

}  // namespace detail
}  // namespace attn::emulator

#pragma GCC visibility pop

// Ten functions in three scopes each are alike, so a macro defines them.
#define ATTN_EMULATOR_ATOMIC(name, Concept, what)                                              \
    template <attn::emulator::detail::Concept T>                                               \
    [[gnu::always_inline]] inline T name(T* address, std::type_identity_t<T> value) {          \
        return attn::emulator::detail::atomic(address, attn::emulator::Atomic::what, value);   \
    }                                                                                          \
    template <attn::emulator::detail::Concept T>                                               \
    [[gnu::always_inline]] inline T name##_block(T* address, std::type_identity_t<T> value) {  \
        return attn::emulator::detail::atomic(address, attn::emulator::Atomic::what, value);   \
    }                                                                                          \
    template <attn::emulator::detail::Concept T>                                               \
    [[gnu::always_inline]] inline T name##_system(T* address, std::type_identity_t<T> value) { \
        return attn::emulator::detail::atomic(address, attn::emulator::Atomic::what, value);   \
    }

ATTN_EMULATOR_ATOMIC(atomicAdd, AtomicNumber, kAdd)
ATTN_EMULATOR_ATOMIC(atomicSub, AtomicInteger, kSubtract)
ATTN_EMULATOR_ATOMIC(atomicExch, AtomicNumber, kExchange)
ATTN_EMULATOR_ATOMIC(atomicMax, AtomicInteger, kMaximum)
ATTN_EMULATOR_ATOMIC(atomicMin, AtomicInteger, kMinimum)
ATTN_EMULATOR_ATOMIC(atomicAnd, AtomicInteger, kAnd)
ATTN_EMULATOR_ATOMIC(atomicOr, AtomicInteger, kOr)
ATTN_EMULATOR_ATOMIC(atomicXor, AtomicInteger, kXor)
ATTN_EMULATOR_ATOMIC(atomicInc, AtomicInteger, kIncrement)
ATTN_EMULATOR_ATOMIC(atomicDec, AtomicInteger, kDecrement)
#undef ATTN_EMULATOR_ATOMIC

template <class T>
requires(std::is_integral_v<T> && sizeof(T) >= 2) [[gnu::always_inline]] inline T
    atomicCAS(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> value) {
    return attn::emulator::detail::atomic(address, attn::emulator::Atomic::kCompare, value, compare);
}
template <class T>
requires(std::is_integral_v<T> && sizeof(T) >= 2) [[gnu::always_inline]] inline T
    atomicCAS_block(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> value) {
    return atomicCAS(address, compare, value);
}
template <class T>
requires(std::is_integral_v<T> && sizeof(T) >= 2) [[gnu::always_inline]] inline T
    atomicCAS_system(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> value) {
    return atomicCAS(address, compare, value);
}
