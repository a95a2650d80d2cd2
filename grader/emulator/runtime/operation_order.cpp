#include "operation_order.h"

#include <algorithm>
#include <deque>

#include "device_state.h"

namespace attn::emulator {
namespace {

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
