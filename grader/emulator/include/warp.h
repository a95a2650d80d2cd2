#pragma once
/// Barriers, shuffles, votes, matches and reductions. Every function waits for the other threads in the run
/// time, which reports missing ones. A default argument passes the place of the call.

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "builtins.h"

#pragma GCC visibility push(default)

namespace attn::emulator {

enum class BarrierKind : std::uint8_t { kSync, kCount, kOr, kAnd };
enum class WarpCall : std::uint8_t { kSync, kShuffle, kUp, kDown, kXor, kVote, kMatch, kReduce };

/// Waits for all threads of the block and returns their predicates, combined as the kind says.
int block_barrier(BarrierKind kind, int predicate, Place place);

/// Waits for the lanes of `mask` that have not returned, and orders their accesses to memory.
void warp_sync(unsigned mask, Place place);

/// Waits for the lanes of `mask` that have not returned. Returns these as a mask; `lanes` receives the value
/// of each of them.
unsigned warp_gather(WarpCall call, unsigned mask, std::uint64_t value, std::uint64_t (&lanes)[32],
                     Place place);

/// Waits for the lanes of `mask` and returns the value of the lane that `operand` selects, within groups of
/// `width`.
std::uint64_t warp_shuffle(WarpCall call, unsigned mask, std::uint64_t value, int operand, int width,
                           Place place);

/// This thread's lane, 0 to 31.
unsigned lane();

/// The lanes of the warp that make this call together. A lane waits until the others of its warp have come
/// here, wait elsewhere or have returned, or, as a GPU may, goes on without one that takes long.
unsigned active_lanes(Place place);

/// __threadfence and its variants: a thread that sees the atomic after the fence also sees the writes before
/// it.
void memory_fence(Place place = Place::current());

namespace detail {

/// A number that has as many bits as a value of this size; void if there is none.
template <std::size_t kSize>
using NumberOfSize = std::conditional_t<
    kSize == 8, std::uint64_t,
    std::conditional_t<
        kSize == 4, std::uint32_t,
        std::conditional_t<kSize == 2, std::uint16_t, std::conditional_t<kSize == 1, std::uint8_t, void>>>>;

template <class T>
std::uint64_t to_bits(T value) {
    static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>, "a lane contributes at most 8 bytes");
    using Number = NumberOfSize<sizeof(T)>;
    if constexpr (!std::is_void_v<Number>) return __builtin_bit_cast(Number, value);
    std::uint64_t bits = 0;
    ::memcpy(&bits, &value, sizeof(T));
    return bits;
}

template <class T>
T from_bits(std::uint64_t bits) {
    using Number = NumberOfSize<sizeof(T)>;
    if constexpr (!std::is_void_v<Number>) return __builtin_bit_cast(T, static_cast<Number>(bits));
    T value;
    ::memcpy(&value, &bits, sizeof(T));
    return value;
}

template <class T>
T shuffle(WarpCall call, unsigned mask, T value, int operand, int width, Place place) {
    return from_bits<T>(warp_shuffle(call, mask, to_bits(value), operand, width, place));
}

/// The same for values of any size, which the groups of cooperative_groups.h exchange.
template <class T>
T shuffle_any(WarpCall call, unsigned mask, const T& value, int operand, int width, Place place) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::uint64_t words[(sizeof(T) + 7) / 8] = {};
    ::memcpy(words, &value, sizeof(T));
    for (std::uint64_t& word : words) word = warp_shuffle(call, mask, word, operand, width, place);
    T result;
    ::memcpy(&result, words, sizeof(T));
    return result;
}

/// Combines the values of the lanes of `mask` that have not returned, in the order of the lanes.
template <class T, class Operation>
T reduce(unsigned mask, T value, Operation operation, Place place) {
    std::uint64_t lanes[32];
    unsigned left = warp_gather(WarpCall::kReduce, mask, to_bits(value), lanes, place);
    T result = from_bits<T>(lanes[std::countr_zero(left)]);
    for (left &= left - 1; left != 0; left &= left - 1)
        result = operation(result, from_bits<T>(lanes[std::countr_zero(left)]));
    return result;
}

}  // namespace detail
}  // namespace attn::emulator

#pragma GCC visibility pop

namespace attn::emulator::detail {

/// The lanes of a vote, and those of them whose predicate holds.
struct Votes {
    unsigned lanes, yes;
};
inline Votes vote(unsigned mask, int predicate, Place place) {
    std::uint64_t values[32];
    Votes votes{warp_gather(WarpCall::kVote, mask, predicate != 0, values, place), 0};
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((votes.lanes >> lane & 1) != 0 && values[lane] != 0) votes.yes |= 1u << lane;
    return votes;
}

/// The lanes that called with the same value as this one, and whether all did.
template <class T>
unsigned matches(unsigned mask, T value, bool& all, Place place) {
    std::uint64_t values[32];
    const std::uint64_t mine = to_bits(value);
    const unsigned lanes = warp_gather(WarpCall::kMatch, mask, mine, values, place);
    unsigned same = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((lanes >> lane & 1) != 0 && values[lane] == mine) same |= 1u << lane;
    all = same == lanes;
    return same;
}

}  // namespace attn::emulator::detail

inline void __syncthreads(ATTN_CALLED_AT) {
    attn::emulator::block_barrier(attn::emulator::BarrierKind::kSync, 0, place);
}
inline int __syncthreads_count(int predicate, ATTN_CALLED_AT) {
    return attn::emulator::block_barrier(attn::emulator::BarrierKind::kCount, predicate, place);
}
inline int __syncthreads_or(int predicate, ATTN_CALLED_AT) {
    return attn::emulator::block_barrier(attn::emulator::BarrierKind::kOr, predicate, place);
}
inline int __syncthreads_and(int predicate, ATTN_CALLED_AT) {
    return attn::emulator::block_barrier(attn::emulator::BarrierKind::kAnd, predicate, place);
}

inline void __syncwarp(unsigned mask = 0xffffffffu, ATTN_CALLED_AT) {
    attn::emulator::warp_sync(mask, place);
}

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32, ATTN_CALLED_AT) {
    return attn::emulator::detail::shuffle(attn::emulator::WarpCall::kShuffle, mask, value, source, width,
                                           place);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, ATTN_CALLED_AT) {
    return attn::emulator::detail::shuffle(attn::emulator::WarpCall::kUp, mask, value,
                                           static_cast<int>(delta), width, place);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, ATTN_CALLED_AT) {
    return attn::emulator::detail::shuffle(attn::emulator::WarpCall::kDown, mask, value,
                                           static_cast<int>(delta), width, place);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32, ATTN_CALLED_AT) {
    return attn::emulator::detail::shuffle(attn::emulator::WarpCall::kXor, mask, value, lane_mask, width,
                                           place);
}

inline unsigned __ballot_sync(unsigned mask, int predicate, ATTN_CALLED_AT) {
    return attn::emulator::detail::vote(mask, predicate, place).yes;
}
inline int __any_sync(unsigned mask, int predicate, ATTN_CALLED_AT) {
    return __ballot_sync(mask, predicate, place) != 0;
}
inline int __all_sync(unsigned mask, int predicate, ATTN_CALLED_AT) {
    const attn::emulator::detail::Votes votes = attn::emulator::detail::vote(mask, predicate, place);
    return votes.yes == votes.lanes;
}
inline unsigned __activemask(ATTN_CALLED_AT) {
    return attn::emulator::active_lanes(place);
}

template <class T>
unsigned __match_any_sync(unsigned mask, T value, ATTN_CALLED_AT) {
    bool all = false;
    return attn::emulator::detail::matches(mask, value, all, place);
}
template <class T>
unsigned __match_all_sync(unsigned mask, T value, int* all, ATTN_CALLED_AT) {
    bool same = false;
    attn::emulator::detail::matches(mask, value, same, place);
    *all = same;
    return same ? mask : 0;
}

template <class T>
T __reduce_add_sync(unsigned mask, T value, ATTN_CALLED_AT) {
    return attn::emulator::detail::reduce(
        mask, value, [](T a, T b) { return static_cast<T>(a + b); }, place);
}
template <class T>
T __reduce_min_sync(unsigned mask, T value, ATTN_CALLED_AT) {
    return attn::emulator::detail::reduce(
        mask, value, [](T a, T b) { return b < a ? b : a; }, place);
}
template <class T>
T __reduce_max_sync(unsigned mask, T value, ATTN_CALLED_AT) {
    return attn::emulator::detail::reduce(
        mask, value, [](T a, T b) { return a < b ? b : a; }, place);
}
inline unsigned __reduce_and_sync(unsigned mask, unsigned value, ATTN_CALLED_AT) {
    return attn::emulator::detail::reduce(
        mask, value, [](unsigned a, unsigned b) { return a & b; }, place);
}
inline unsigned __reduce_or_sync(unsigned mask, unsigned value, ATTN_CALLED_AT) {
    return attn::emulator::detail::reduce(
        mask, value, [](unsigned a, unsigned b) { return a | b; }, place);
}
inline unsigned __reduce_xor_sync(unsigned mask, unsigned value, ATTN_CALLED_AT) {
    return attn::emulator::detail::reduce(
        mask, value, [](unsigned a, unsigned b) { return a ^ b; }, place);
}

inline void __threadfence(ATTN_CALLED_AT) {
    attn::emulator::memory_fence(place);
}
inline void __threadfence_system(ATTN_CALLED_AT) {
    attn::emulator::memory_fence(place);
}
inline void __threadfence_block(ATTN_CALLED_AT) {
    attn::emulator::memory_fence(place);
}
