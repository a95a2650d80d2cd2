#pragma once
/// CUDA's functions for bits, wide products, words of four bytes or two halves ("SIMD intrinsics" in its manual),
/// loads and stores with a cache hint, clocks and traps.

#include <bit>
#include <cstdint>

#include "builtins.h"

#pragma GCC visibility push(default)

namespace attn::emulator {

/// A counter that grows with every call and replaces a clock.
long long device_clock();
[[noreturn]] void kernel_trap();

/// global: of cudaMalloc, of `new` in a kernel, or a variable of the file.
enum class Memory { global, shared, local };
bool is_memory(const void* address, Memory kind);

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

}  // namespace attn::emulator

#pragma GCC visibility pop

__forceinline__ int __popc(unsigned x) {
    return std::popcount(x);
}
__forceinline__ int __popcll(unsigned long long x) {
    return std::popcount(x);
}
__forceinline__ int __clz(int x) {
    return std::countl_zero(static_cast<unsigned>(x));
}
__forceinline__ int __clzll(long long x) {
    return std::countl_zero(static_cast<unsigned long long>(x));
}
__forceinline__ int __ffs(int x) {
    return __builtin_ffs(x);
}
__forceinline__ int __ffsll(long long x) {
    return __builtin_ffsll(x);
}
inline unsigned __brev(unsigned x) {
    unsigned reversed = 0;
    for (int bit = 0; bit < 32; ++bit) reversed |= (x >> bit & 1) << (31 - bit);
    return reversed;
}
inline unsigned long long __brevll(unsigned long long x) {
    return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
           __brev(static_cast<unsigned>(x >> 32));
}
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    const std::uint64_t bytes = static_cast<std::uint64_t>(y) << 32 | x;
    unsigned result = 0;
    for (unsigned byte = 0; byte < 4; ++byte)
        result |= static_cast<unsigned>(bytes >> (selector >> (4 * byte) & 7) * 8 & 0xff) << (8 * byte);
    return result;
}
__forceinline__ unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>(((static_cast<std::uint64_t>(high) << 32 | low) << (shift & 31)) >> 32);
}
__forceinline__ unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((static_cast<std::uint64_t>(high) << 32 | low) >> (shift & 31));
}
/// With a shift of at most 32 ("clamped").
__forceinline__ unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
__forceinline__ unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

__forceinline__ int __mulhi(int x, int y) {
    return static_cast<int>(static_cast<std::int64_t>(x) * y >> 32);
}
__forceinline__ unsigned __umulhi(unsigned x, unsigned y) {
    return static_cast<unsigned>(static_cast<std::uint64_t>(x) * y >> 32);
}
__forceinline__ long long __mul64hi(long long x, long long y) {
    return static_cast<long long>(static_cast<attn::emulator::Wide>(x) * y >> 64);
}
__forceinline__ unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return static_cast<unsigned long long>(static_cast<attn::emulator::UnsignedWide>(x) * y >> 64);
}
__forceinline__ int __mul24(int x, int y) {
    return (x << 8 >> 8) * (y << 8 >> 8);
}
__forceinline__ unsigned __umul24(unsigned x, unsigned y) {
    return (x & 0xffffff) * (y & 0xffffff);
}

__forceinline__ unsigned __sad(int x, int y, unsigned z) {
    return z + (x > y ? static_cast<unsigned>(x) - static_cast<unsigned>(y)
                      : static_cast<unsigned>(y) - static_cast<unsigned>(x));
}
__forceinline__ unsigned __usad(unsigned x, unsigned y, unsigned z) {
    return z + (x > y ? x - y : y - x);
}
__forceinline__ int __hadd(int x, int y) {
    return static_cast<int>((static_cast<std::int64_t>(x) + y) >> 1);
}
__forceinline__ unsigned __uhadd(unsigned x, unsigned y) {
    return static_cast<unsigned>((static_cast<std::uint64_t>(x) + y) >> 1);
}
/// As __hadd, rounded up.
__forceinline__ int __rhadd(int x, int y) {
    return static_cast<int>((static_cast<std::int64_t>(x) + y + 1) >> 1);
}
__forceinline__ unsigned __urhadd(unsigned x, unsigned y) {
    return static_cast<unsigned>((static_cast<std::uint64_t>(x) + y + 1) >> 1);
}
/// c plus the products of the four bytes of a and b.
inline int __dp4a(int a, int b, int c) {
    for (int byte = 0; byte < 32; byte += 8)
        c += static_cast<std::int8_t>(a >> byte & 0xff) * static_cast<std::int8_t>(b >> byte & 0xff);
    return c;
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    for (int byte = 0; byte < 32; byte += 8) c += (a >> byte & 0xff) * (b >> byte & 0xff);
    return c;
}
/// c plus the products of the two halves of a and two bytes of b: the lower two (lo), the upper two (hi).
inline int __dp2a_lo(int a, int b, int c) {
    for (int half = 0; half < 2; ++half)
        c += static_cast<std::int16_t>(a >> 16 * half & 0xffff) *
             static_cast<std::int8_t>(b >> 8 * half & 0xff);
    return c;
}
inline unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
    return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
inline int __dp2a_hi(int a, int b, int c) {
    return __dp2a_lo(a, b >> 16, c);
}
inline unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) {
    return __dp2a_lo(a, b >> 16, c);
}

template <class T>
__forceinline__ T __ldg(const T* address) {
    return *address;
}
template <class T>
__forceinline__ T __ldca(const T* address) {
    return *address;
}
template <class T>
__forceinline__ T __ldcg(const T* address) {
    return *address;
}
template <class T>
__forceinline__ T __ldcs(const T* address) {
    return *address;
}
template <class T>
__forceinline__ T __ldcv(const T* address) {
    return *address;
}
template <class T>
__forceinline__ T __ldlu(const T* address) {
    return *address;
}
template <class T>
__forceinline__ void __stwb(T* address, T value) {
    *address = value;
}
template <class T>
__forceinline__ void __stcg(T* address, T value) {
    *address = value;
}
template <class T>
__forceinline__ void __stcs(T* address, T value) {
    *address = value;
}
template <class T>
__forceinline__ void __stwt(T* address, T value) {
    *address = value;
}

__forceinline__ long long clock64() {
    return attn::emulator::device_clock();
}
[[noreturn]] __forceinline__ void __trap() {
    attn::emulator::kernel_trap();
}
inline void __nanosleep(unsigned) {}

/// A promise to the compiler, which is not used here.
#define __builtin_assume(condition) static_cast<void>(0)
#define __assume(condition) static_cast<void>(0)

/// The kind of memory that an address of device code belongs to.
__forceinline__ unsigned __isGlobal(const void* address) {
    return attn::emulator::is_memory(address, attn::emulator::Memory::global);
}
__forceinline__ unsigned __isShared(const void* address) {
    return attn::emulator::is_memory(address, attn::emulator::Memory::shared);
}
__forceinline__ unsigned __isLocal(const void* address) {
    return attn::emulator::is_memory(address, attn::emulator::Memory::local);
}

namespace attn::emulator::detail {

/// The word whose lanes are f(a, b) for the lanes a of x and b of y, each modulo the lane's size.
template <class Lane, class F>
constexpr unsigned in_lanes(unsigned x, unsigned y, F f) {
    constexpr unsigned kBits = 8 * sizeof(Lane), kMask = (1u << kBits) - 1;
    unsigned result = 0;
    for (unsigned at = 0; at < 32; at += kBits)
        result |= (static_cast<unsigned>(f(static_cast<int>(static_cast<Lane>(x >> at & kMask)),
                                           static_cast<int>(static_cast<Lane>(y >> at & kMask)))) &
                   kMask)
                  << at;
    return result;
}

/// The sum of the lanes.
template <class Lane>
constexpr unsigned sum_of_lanes(unsigned x) {
    unsigned sum = 0;
    for (unsigned at = 0; at < 32; at += 8 * sizeof(Lane)) sum += static_cast<Lane>(x >> at);
    return sum;
}

constexpr int between(int x, int least, int most) {
    return x < least ? least : x > most ? most : x;
}

}  // namespace attn::emulator::detail

// NAME##LANES(x, y): EXPRESSION of the lanes a and b.
#define ATTN_EMULATOR_WORD(NAME, LANE, EXPRESSION)                                                    \
    __forceinline__ unsigned NAME(unsigned x, unsigned y) {                                           \
        return attn::emulator::detail::in_lanes<LANE>(x, y, [](int a, int b) { return EXPRESSION; }); \
    }
// A comparison that gives all ones (vcmp) or 1 (vset).
#define ATTN_EMULATOR_COMPARE(KIND, LANES, LANE, OPERATOR)               \
    ATTN_EMULATOR_WORD(__vcmp##KIND##LANES, LANE, a OPERATOR b ? -1 : 0) \
    ATTN_EMULATOR_WORD(__vset##KIND##LANES, LANE, a OPERATOR b ? 1 : 0)
#define ATTN_EMULATOR_WORDS(LANES, SIGNED, UNSIGNED, LEAST, MOST, ALL)                               \
    ATTN_EMULATOR_WORD(__vadd##LANES, UNSIGNED, a + b)                                               \
    ATTN_EMULATOR_WORD(__vsub##LANES, UNSIGNED, a - b)                                               \
    ATTN_EMULATOR_WORD(__vaddss##LANES, SIGNED, attn::emulator::detail::between(a + b, LEAST, MOST)) \
    ATTN_EMULATOR_WORD(__vsubss##LANES, SIGNED, attn::emulator::detail::between(a - b, LEAST, MOST)) \
    ATTN_EMULATOR_WORD(__vaddus##LANES, UNSIGNED, attn::emulator::detail::between(a + b, 0, ALL))    \
    ATTN_EMULATOR_WORD(__vsubus##LANES, UNSIGNED, attn::emulator::detail::between(a - b, 0, ALL))    \
    ATTN_EMULATOR_WORD(__vabsdiffs##LANES, SIGNED, a > b ? a - b : b - a)                            \
    ATTN_EMULATOR_WORD(__vabsdiffu##LANES, UNSIGNED, a > b ? a - b : b - a)                          \
    ATTN_EMULATOR_WORD(__vavgs##LANES, SIGNED, (a + b + 1) >> 1)                                     \
    ATTN_EMULATOR_WORD(__vavgu##LANES, UNSIGNED, (a + b + 1) >> 1)                                   \
    ATTN_EMULATOR_WORD(__vhaddu##LANES, UNSIGNED, (a + b) >> 1)                                      \
    ATTN_EMULATOR_WORD(__vmaxs##LANES, SIGNED, a > b ? a : b)                                        \
    ATTN_EMULATOR_WORD(__vmaxu##LANES, UNSIGNED, a > b ? a : b)                                      \
    ATTN_EMULATOR_WORD(__vmins##LANES, SIGNED, a < b ? a : b)                                        \
    ATTN_EMULATOR_WORD(__vminu##LANES, UNSIGNED, a < b ? a : b)                                      \
    ATTN_EMULATOR_COMPARE(eq, LANES, UNSIGNED, ==)                                                   \
    ATTN_EMULATOR_COMPARE(ne, LANES, UNSIGNED, !=)                                                   \
    ATTN_EMULATOR_COMPARE(gts, LANES, SIGNED, >)                                                     \
    ATTN_EMULATOR_COMPARE(ges, LANES, SIGNED, >=)                                                    \
    ATTN_EMULATOR_COMPARE(lts, LANES, SIGNED, <)                                                     \
    ATTN_EMULATOR_COMPARE(les, LANES, SIGNED, <=)                                                    \
    ATTN_EMULATOR_COMPARE(gtu, LANES, UNSIGNED, >)                                                   \
    ATTN_EMULATOR_COMPARE(geu, LANES, UNSIGNED, >=)                                                  \
    ATTN_EMULATOR_COMPARE(ltu, LANES, UNSIGNED, <)                                                   \
    ATTN_EMULATOR_COMPARE(leu, LANES, UNSIGNED, <=)                                                  \
    __forceinline__ unsigned __vsads##LANES(unsigned x, unsigned y) {                                \
        return attn::emulator::detail::sum_of_lanes<UNSIGNED>(__vabsdiffs##LANES(x, y));             \
    }                                                                                                \
    __forceinline__ unsigned __vsadu##LANES(unsigned x, unsigned y) {                                \
        return attn::emulator::detail::sum_of_lanes<UNSIGNED>(__vabsdiffu##LANES(x, y));             \
    }                                                                                                \
    __forceinline__ unsigned __vneg##LANES(unsigned x) {                                             \
        return __vsub##LANES(0, x);                                                                  \
    }                                                                                                \
    __forceinline__ unsigned __vabs##LANES(unsigned x) {                                             \
        return __vabsdiffs##LANES(x, 0);                                                             \
    }
ATTN_EMULATOR_WORDS(4, std::int8_t, std::uint8_t, -128, 127, 255)
ATTN_EMULATOR_WORDS(2, std::int16_t, std::uint16_t, -32768, 32767, 65535)
#undef ATTN_EMULATOR_WORDS
#undef ATTN_EMULATOR_COMPARE
#undef ATTN_EMULATOR_WORD
