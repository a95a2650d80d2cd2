#include "ordering.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace attn::emulator {
namespace {

/// The latest point of a thread (barrier interval and clock) that is ordered before another thread.
struct Known {
    std::uint32_t interval, clock;
};
/// Such points by thread, for the threads of the running block.
using Threads = std::unordered_map<std::uint32_t, Known>;

/// The orderings that an atomic at one address passes on. A block counts as a whole: a write after its
/// release may wrongly count as ordered, but no right program is accused.
struct Released {
    std::unordered_set<std::uint32_t> blocks;
    std::uint32_t block = 0;  // the block that the threads belong to
    Threads threads;
};

struct Fences {
    std::unordered_map<std::uintptr_t, Released> released;
    std::unordered_set<std::uint32_t> acquired;              // blocks ordered before the running block
    std::unordered_map<std::uint32_t, Threads> acquired_by;  // threads ordered before each of its threads
};

Fences& fences() {
    static auto* const instance = new Fences;
    return *instance;
}

std::uint32_t this_block() {
    return static_cast<std::uint32_t>(device.launch.block_intervals.size() - 1);
}

void merge(Threads& into, const Threads& from) {
    for (const auto& [thread, known] : from) {
        const auto [at, fresh] = into.emplace(thread, known);
        if (fresh) continue;
        if (at->second.interval < known.interval) at->second = known;
        if (at->second.interval == known.interval) at->second.clock = std::max(at->second.clock, known.clock);
    }
}

}  // namespace

std::uint32_t block_of(std::uint32_t interval) {
    const auto& begun = device.launch.block_intervals;
    const auto after = std::upper_bound(begun.begin(), begun.end(), interval);
    return after == begun.begin() ? 0 : static_cast<std::uint32_t>(after - begun.begin() - 1);
}

void begin_ordering() {
    if (device.fenced) fences() = Fences{};
    device.fenced = false;
}

void begin_block_ordering() {
    if (!device.fenced) return;
    fences().acquired.clear();
    fences().acquired_by.clear();
}

void memory_fence(Place) {
    if (device.thread == nullptr) return;
    device.fenced = true;
    refresh(*device.thread);
    device.thread->fenced = true;
    ++device.thread->clock;  // later accesses are not covered by the fence
}

void order_by_atomic(std::uintptr_t address) {
    if (!device.fenced) return;
    Fences& all = fences();
    Thread& me = *device.thread;
    refresh(me);
    const auto at = all.released.find(address);
    if (at != all.released.end()) {
        all.acquired.insert(at->second.blocks.begin(), at->second.blocks.end());
        if (at->second.block == this_block()) merge(all.acquired_by[me.id], at->second.threads);
    }
    if (!me.fenced) return;
    Released& released = all.released[address];
    released.blocks.insert(this_block());
    released.blocks.insert(all.acquired.begin(), all.acquired.end());
    if (released.block != this_block()) released.threads.clear();
    released.block = this_block();
    merge(released.threads, all.acquired_by[me.id]);
    merge(released.threads, {{me.id, {me.interval, me.clock - 1}}});
}

bool ordered_by_fences(const Stamp& stamp) {
    const Fences& all = fences();
    if (stamp.interval < device.block_first) return all.acquired.count(block_of(stamp.interval)) != 0;
    const auto mine = all.acquired_by.find(device.thread->id);
    if (mine == all.acquired_by.end()) return false;
    const auto known = mine->second.find(stamp.thread);
    return known != mine->second.end() && known->second.interval == stamp.interval &&
           known->second.clock >= stamp.clock;
}

}  // namespace attn::emulator
