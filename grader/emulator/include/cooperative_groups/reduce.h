#pragma once
/// The emulator's cooperative_groups/reduce.h: combines the values of the threads of a tile, or of lanes that
/// run together. Every thread gets the result.

#include <cooperative_groups.h>

namespace cooperative_groups {

template <class T>
struct plus {
    T operator()(T a, T b) const { return a + b; }
};
/// The smaller of the two.
template <class T>
struct less {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
/// The larger of the two.
template <class T>
struct greater {
    T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
    T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
    T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
    T operator()(T a, T b) const { return a ^ b; }
};

template <unsigned kSize, class Parent, class T, class Function>
[[gnu::always_inline]] inline T reduce(const thread_block_tile<kSize, Parent>& tile, T value,
                                       Function function, Place place = Place::current()) {
    for (unsigned distance = kSize / 2; distance > 0; distance /= 2)
        value = function(value, tile.shfl_xor(value, static_cast<int>(distance), place));
    return value;
}

template <class T, class Function>
[[gnu::always_inline]] inline T reduce(const coalesced_group& group, T value, Function function,
                                       Place place = Place::current()) {
    T result = group.shfl(value, 0, place);
    for (unsigned rank = 1; rank < group.size(); ++rank)
        result = function(result, group.shfl(value, rank, place));
    return result;
}

}  // namespace cooperative_groups
