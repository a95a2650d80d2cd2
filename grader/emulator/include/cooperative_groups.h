#pragma once
/// The emulator's cooperative_groups.h. Groups are the threads of the block, tiles of 1, 2, 4 .. 32 lanes of
/// a warp, and lanes that run together. They use the functions of cuda_runtime.h. A group of the whole grid
/// is refused.

#include <bit>

#include <cuda_runtime.h>

namespace cooperative_groups {

/// The source location of a call: findings name the caller's line, not this file's.
using attn::emulator::Place;

/// The common base of the groups: the whole block, or some lanes of one warp.
class thread_group {
  public:
    [[gnu::always_inline]] unsigned thread_rank() const { return rank_; }
    [[gnu::always_inline]] unsigned num_threads() const { return size_; }
    [[gnu::always_inline]] unsigned size() const { return size_; }
    [[gnu::always_inline]] void sync(Place place = Place::current()) const {
        if (lanes_ == 0)
            __syncthreads(place);
        else
            __syncwarp(lanes_, place);
    }

  protected:
    friend class thread_block;
    thread_group(unsigned rank, unsigned size, unsigned lanes) : rank_(rank), size_(size), lanes_(lanes) {}
    unsigned rank_, size_;
    unsigned lanes_;  ///< a mask of lanes of the warp; 0 means the whole block
    friend thread_group tiled_partition(const thread_group& parent, unsigned size);
};

class thread_block : public thread_group {
    static unsigned threads() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
    thread_block() : thread_group(rank(), threads(), 0) {}
    friend thread_block this_thread_block();

  public:
    [[gnu::always_inline]] static void sync(Place place = Place::current()) { __syncthreads(place); }
    static unsigned thread_rank() { return rank(); }
    static unsigned num_threads() { return threads(); }
    static unsigned size() { return threads(); }
    static dim3 group_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
    static dim3 thread_index() { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
    static dim3 group_dim() { return {blockDim.x, blockDim.y, blockDim.z}; }
    static dim3 dim_threads() { return group_dim(); }
};

inline thread_block this_thread_block() {
    return {};
}

/// The mask of the lanes in the calling thread's tile of this size.
inline unsigned lanes_of_tile(unsigned thread_in_block, unsigned size) {
    const unsigned lanes = size >= 32 ? 0xffffffffu : (1u << size) - 1;
    return lanes << (thread_in_block % 32 / size * size);
}

/// Marks the constructor that cuts a tile from its parent, as opposed to a copy.
struct Cut {};

/// A tile of a size known at compile time. `Parent` is the group that it was cut from, or void.
template <unsigned kSize, class Parent = void>
class thread_block_tile;

template <unsigned kSize>
class thread_block_tile<kSize, void> : public thread_group {
    static_assert(kSize >= 1 && kSize <= 32 && (kSize & (kSize - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads: larger ones are not available in the emulator");
    static constexpr int kWidth = static_cast<int>(kSize);
    unsigned meta_rank_, meta_size_;

  public:
    thread_block_tile(const thread_group& parent, Cut)
        : thread_group(parent.thread_rank() % kSize, kSize,
                       lanes_of_tile(thread_block::thread_rank(), kSize)),
          meta_rank_(parent.thread_rank() / kSize),
          meta_size_((parent.num_threads() + kSize - 1) / kSize) {}

    static constexpr unsigned num_threads() { return kSize; }
    static constexpr unsigned size() { return kSize; }
    /// The index of this tile among its parent's tiles, and their number.
    unsigned meta_group_rank() const { return meta_rank_; }
    unsigned meta_group_size() const { return meta_size_; }

    [[gnu::always_inline]] void sync(Place place = Place::current()) const { __syncwarp(lanes_, place); }
    template <class T>
    [[gnu::always_inline]] T shfl(T value, int rank, Place place = Place::current()) const {
        return attn::emulator::detail::shuffle_any(attn::emulator::WarpCall::kShuffle, lanes_, value, rank,
                                                   kWidth, place);
    }
    template <class T>
    [[gnu::always_inline]] T shfl_up(T value, unsigned distance, Place place = Place::current()) const {
        return attn::emulator::detail::shuffle_any(attn::emulator::WarpCall::kUp, lanes_, value,
                                                   static_cast<int>(distance), kWidth, place);
    }
    template <class T>
    [[gnu::always_inline]] T shfl_down(T value, unsigned distance, Place place = Place::current()) const {
        return attn::emulator::detail::shuffle_any(attn::emulator::WarpCall::kDown, lanes_, value,
                                                   static_cast<int>(distance), kWidth, place);
    }
    template <class T>
    [[gnu::always_inline]] T shfl_xor(T value, int mask, Place place = Place::current()) const {
        return attn::emulator::detail::shuffle_any(attn::emulator::WarpCall::kXor, lanes_, value, mask,
                                                   kWidth, place);
    }
    [[gnu::always_inline]] int any(int predicate, Place place = Place::current()) const {
        return __any_sync(lanes_, predicate, place);
    }
    [[gnu::always_inline]] int all(int predicate, Place place = Place::current()) const {
        return __all_sync(lanes_, predicate, place);
    }
    template <class T>
    [[gnu::always_inline]] unsigned match_any(T value, Place place = Place::current()) const {
        return __match_any_sync(lanes_, value, place) >> first_lane();
    }
    template <class T>
    [[gnu::always_inline]] unsigned match_all(T value, int& all, Place place = Place::current()) const {
        return __match_all_sync(lanes_, value, &all, place) >> first_lane();
    }
    /// Bit r of the result belongs to the tile's thread of rank r.
    [[gnu::always_inline]] unsigned ballot(int predicate, Place place = Place::current()) const {
        return __ballot_sync(lanes_, predicate, place) >> first_lane();
    }

  private:
    static unsigned first_lane() { return thread_block::thread_rank() % 32 / kSize * kSize; }
};

template <unsigned kSize, class Parent>
class thread_block_tile : public thread_block_tile<kSize, void> {
  public:
    using thread_block_tile<kSize, void>::thread_block_tile;
};

template <unsigned kSize>
inline thread_block_tile<kSize, thread_block> tiled_partition(const thread_block& block) {
    return {block, Cut()};
}
template <unsigned kSize, unsigned kParent, class Grandparent>
inline thread_block_tile<kSize, thread_block_tile<kParent, Grandparent>> tiled_partition(
    const thread_block_tile<kParent, Grandparent>& tile) {
    static_assert(kSize <= kParent, "a tile is cut from a larger one");
    return {tile, Cut()};
}
/// A tile of a size known at run time; it has no shuffles.
inline thread_group tiled_partition(const thread_group& parent, unsigned size) {
    return {parent.thread_rank() % size, size, lanes_of_tile(thread_block::thread_rank(), size)};
}

/// Lanes of one warp, with ranks in the order of the lanes.
class coalesced_group : public thread_group {
    explicit coalesced_group(unsigned lanes)
        : thread_group(static_cast<unsigned>(std::popcount(lanes & ((1u << lane()) - 1))),
                       static_cast<unsigned>(std::popcount(lanes)), lanes) {}
    static unsigned lane() { return thread_block::thread_rank() % 32; }
    friend coalesced_group lanes_as_group(unsigned lanes);

    /// The lane of a rank.
    unsigned lane_of(unsigned rank) const {
        unsigned left = lanes_;
        for (; rank > 0; --rank) left &= left - 1;
        return static_cast<unsigned>(std::countr_zero(left));
    }
    /// Bit r of the result is the bit of rank r's lane.
    unsigned packed(unsigned lanes) const {
        unsigned result = 0;
        for (unsigned rank = 0; rank < size_; ++rank) result |= (lanes >> lane_of(rank) & 1) << rank;
        return result;
    }

  public:
    [[gnu::always_inline]] void sync(Place place = Place::current()) const { __syncwarp(lanes_, place); }
    unsigned meta_group_rank() const { return 0; }
    unsigned meta_group_size() const { return 1; }
    template <class T>
    [[gnu::always_inline]] T shfl(T value, unsigned rank, Place place = Place::current()) const {
        return __shfl_sync(lanes_, value, static_cast<int>(lane_of(rank % size_)), 32, place);
    }
    template <class T>
    [[gnu::always_inline]] T shfl_up(T value, unsigned distance, Place place = Place::current()) const {
        return shfl(value, rank_ >= distance ? rank_ - distance : rank_, place);
    }
    template <class T>
    [[gnu::always_inline]] T shfl_down(T value, unsigned distance, Place place = Place::current()) const {
        return shfl(value, rank_ + distance < size_ ? rank_ + distance : rank_, place);
    }
    [[gnu::always_inline]] int any(int predicate, Place place = Place::current()) const {
        return __any_sync(lanes_, predicate, place);
    }
    [[gnu::always_inline]] int all(int predicate, Place place = Place::current()) const {
        return __all_sync(lanes_, predicate, place);
    }
    [[gnu::always_inline]] unsigned ballot(int predicate, Place place = Place::current()) const {
        return packed(__ballot_sync(lanes_, predicate, place));
    }
    template <class T>
    [[gnu::always_inline]] unsigned match_any(T value, Place place = Place::current()) const {
        return packed(__match_any_sync(lanes_, value, place));
    }
    /// The lanes of this group for which `value` is the same.
    template <class T>
    [[gnu::always_inline]] unsigned lanes_with_same(T value, Place place) const {
        return __match_any_sync(lanes_, value, place);
    }
};

inline coalesced_group lanes_as_group(unsigned lanes) {
    return coalesced_group(lanes);
}

/// The lanes of the warp that run together with this one.
[[gnu::always_inline]] inline coalesced_group coalesced_threads(Place place = Place::current()) {
    return lanes_as_group(__activemask(place));
}

/// The threads of a group with the same label.
template <class Label>
[[gnu::always_inline]] inline coalesced_group labeled_partition(const coalesced_group& group, Label label,
                                                                Place place = Place::current()) {
    return lanes_as_group(group.lanes_with_same(label, place));
}
[[gnu::always_inline]] inline coalesced_group binary_partition(const coalesced_group& group, bool side,
                                                               Place place = Place::current()) {
    return labeled_partition(group, static_cast<int>(side), place);
}
template <unsigned kSize, class Parent, class Label>
[[gnu::always_inline]] inline coalesced_group labeled_partition(const thread_block_tile<kSize, Parent>& tile,
                                                                Label label, Place place = Place::current()) {
    const unsigned lanes = lanes_of_tile(thread_block::thread_rank(), kSize);
    static_cast<void>(tile);
    return lanes_as_group(__match_any_sync(lanes, label, place));
}
template <unsigned kSize, class Parent>
[[gnu::always_inline]] inline coalesced_group binary_partition(const thread_block_tile<kSize, Parent>& tile,
                                                               bool side, Place place = Place::current()) {
    return labeled_partition(tile, static_cast<int>(side), place);
}

/// Waits for all threads of any kind of group.
template <class Group>
[[gnu::always_inline]] inline void sync(const Group& group, Place place = Place::current()) {
    group.sync(place);
}

}  // namespace cooperative_groups
