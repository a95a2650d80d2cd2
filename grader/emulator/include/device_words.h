#pragma once
/// CUDA's functions for four bytes or two halves that share a word ("SIMD intrinsics" in its manual).

#include <cstdint>

#include "builtins.h"

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
