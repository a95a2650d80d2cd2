#include "ordering.h"

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <unordered_set>

#include "device_state.h"

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

struct Operations {
    OperationSet finished_for_host;
    std::vector<std::deque<FinishedOperation>> of_streams;  // those for which the host has not waited
    OperationSet before_running;
    std::uint32_t first = 0;           // the first interval of the running operation
    std::uint32_t ordered_before = 0;  // see ordered_before()
};

Operations& operations() {
    static auto* const instance = new Operations;
    return *instance;
}

/// The first operation of a stream that is not in a set.
auto first_outside(const std::deque<FinishedOperation>& all, std::uint32_t stream, const OperationSet& set) {
    return std::upper_bound(
        all.begin(), all.end(), set.first_of(stream),
        [](std::uint32_t sequence, const FinishedOperation& one) { return sequence < one.sequence; });
}

/// The operation of an interval that is not in a set, or null.
const FinishedOperation* outside(const OperationSet& set, std::uint32_t interval) {
    const auto& streams = operations().of_streams;
    for (std::uint32_t stream = 0; stream < streams.size(); ++stream) {
        const auto& all = streams[stream];
        const auto begin = first_outside(all, stream, set);
        const auto at = std::lower_bound(
            begin, all.end(), interval,
            [](const FinishedOperation& one, std::uint32_t wanted) { return one.last < wanted; });
        if (at != all.end() && at->first <= interval) return &*at;
    }
    return nullptr;
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

void OperationSet::add(std::uint32_t stream, std::uint32_t sequence) {
    if (stream >= first_.size()) first_.resize(stream + 1);
    first_[stream] = std::max(first_[stream], sequence);
}

void OperationSet::add(const OperationSet& other) {
    for (std::uint32_t stream = 0; stream < other.first_.size(); ++stream) add(stream, other.first_[stream]);
}

const OperationSet& finished_for_host() {
    return operations().finished_for_host;
}

void host_waited_for(const OperationId& operation) {
    Operations& all = operations();
    all.finished_for_host.add(operation.before);
    all.finished_for_host.add(operation.stream, operation.sequence);
}

void forget_waited_for() {
    Operations& all = operations();
    for (std::uint32_t stream = 0; stream < all.of_streams.size(); ++stream)
        while (!all.of_streams[stream].empty() &&
               all.finished_for_host.holds(stream, all.of_streams[stream].front().sequence))
            all.of_streams[stream].pop_front();
}

void begin_operation(const OperationId& operation) {
    Operations& all = operations();
    all.before_running = operation.before;
    all.first = all.ordered_before = device.interval + 1;
    for (std::uint32_t stream = 0; stream < all.of_streams.size(); ++stream)
        if (const auto at = first_outside(all.of_streams[stream], stream, operation.before);
            at != all.of_streams[stream].end())
            all.ordered_before = std::min(all.ordered_before, at->first);
}

void end_operation(const OperationId& operation) {
    Operations& all = operations();
    if (device.interval < all.first) return;  // it accessed nothing
    if (operation.stream >= all.of_streams.size()) all.of_streams.resize(operation.stream + 1);
    all.of_streams[operation.stream].push_back(
        {all.first, device.interval, operation.sequence, operation.name});
}

std::uint32_t ordered_before() {
    return operations().ordered_before;
}

const FinishedOperation* unordered_operation(std::uint32_t interval) {
    return interval < ordered_before() ? nullptr : outside(operations().before_running, interval);
}

const FinishedOperation* operation_not_waited_for(std::uint32_t interval) {
    return interval == 0 ? nullptr : outside(finished_for_host(), interval);
}

bool some_not_waited_for() {
    const auto& streams = operations().of_streams;
    for (std::uint32_t stream = 0; stream < streams.size(); ++stream)
        if (!streams[stream].empty() && !finished_for_host().holds(stream, streams[stream].back().sequence))
            return true;
    return false;
}

void forget_operations() {
    operations() = {};
}

}  // namespace attn::emulator
