#pragma once
/// CUDA's functions for bits, wide products, loads and stores with a cache hint, clocks and traps.

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
