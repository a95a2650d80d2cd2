#pragma once
/// The emulator's cooperative_groups/scan.h: a thread gets the combination of the values of the ranks before
/// its own; an inclusive scan adds its own value.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cooperative_groups {

template <class Group, class T, class Function>
[[gnu::always_inline]] inline T inclusive_scan(const Group& group, T value, Function function,
                                               Place place = Place::current()) {
    for (unsigned distance = 1; distance < group.size(); distance *= 2) {
        const T before = group.shfl_up(value, distance, place);
        if (group.thread_rank() >= distance) value = function(before, value);
    }
    return value;
}
template <class Group, class T>
[[gnu::always_inline]] inline T inclusive_scan(const Group& group, T value, Place place = Place::current()) {
    return inclusive_scan(group, value, plus<T>(), place);
}

/// Rank 0 gets T().
template <class Group, class T, class Function>
[[gnu::always_inline]] inline T exclusive_scan(const Group& group, T value, Function function,
                                               Place place = Place::current()) {
    const T before = group.shfl_up(inclusive_scan(group, value, function, place), 1, place);
    return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
[[gnu::always_inline]] inline T exclusive_scan(const Group& group, T value, Place place = Place::current()) {
    return exclusive_scan(group, value, plus<T>(), place);
}

}  // namespace cooperative_groups
