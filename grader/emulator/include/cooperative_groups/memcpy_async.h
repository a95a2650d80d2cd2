#pragma once
/// The emulator's cooperative_groups/memcpy_async.h: the threads of a group copy an array together. A copy is a group of
/// copies of each thread, so that wait_prior() can leave out the latest ones.

#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cooperative_groups {

/// `count`: bytes, or a cuda::aligned_size_t of them.
template <class Group, class Size>
[[gnu::always_inline]] inline void memcpy_async(const Group& group, void* to, const void* from,
                                                const Size& count) {
    cuda::memcpy_async(group, to, from, static_cast<std::size_t>(count));
    attn::emulator::commit_copies();
}

template <class Group>
[[gnu::always_inline]] inline void wait(const Group& group, Place place = Place::current()) {
    attn::emulator::wait_for_all_copies();
    group.sync(place);
}

template <unsigned kGroups, class Group>
[[gnu::always_inline]] inline void wait_prior(const Group& group, Place place = Place::current()) {
    attn::emulator::wait_for_copies(kGroups);
    group.sync(place);
}

}  // namespace cooperative_groups
