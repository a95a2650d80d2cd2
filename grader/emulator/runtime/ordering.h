#pragma once
/// The happens-before order of accesses, which holds for every schedule. Within a launch it comes from barriers,
/// __syncwarp, and fences with atomics; between operations from streams, events and the waiting of the host.

#include <cstdint>
#include <string>
#include <vector>

#include "device_state.h"
#include "shadow.h"

namespace attn::emulator {

/// A set of operations that are ordered before something: of each stream, by its number, the first so many.
class OperationSet {
  public:
    void add(std::uint32_t stream, std::uint32_t sequence);
    void add(const OperationSet& other);
    bool holds(std::uint32_t stream, std::uint32_t sequence) const { return first_of(stream) >= sequence; }
    /// How many operations of a stream are in the set.
    std::uint32_t first_of(std::uint32_t stream) const { return stream < first_.size() ? first_[stream] : 0; }

  private:
    std::vector<std::uint32_t> first_;
};

/// The identity of a queued operation: its stream's number, and its number in the stream, counted from 1.
struct OperationId {
    std::uint32_t stream = 0, sequence = 0;
    OperationSet before;  ///< what is ordered before it
    std::string name;     ///< "kernel softmax (launched in a.cu:12)", "cudaMemcpyAsync in a.cu:20"
};

/// An operation that ran, and the intervals of its accesses (see Device::interval).
struct FinishedOperation {
    std::uint32_t first = 0, last = 0, sequence = 0;
    std::string name;
};

/// What the host knows to be finished, which is ordered before all that it queues from now on.
const OperationSet& finished_for_host();
void host_waited_for(const OperationId& operation);

/// Forgets the operations for which the host has waited. Called when nothing is queued: a queued operation
/// may have no order with them.
void forget_waited_for();

/// Called around the run of each operation.
void begin_operation(const OperationId& operation);
void end_operation(const OperationId& operation);

/// Accesses of intervals below this one are ordered before the running operation.
std::uint32_t ordered_before();

/// The earlier operation of an interval if nothing orders it before the running operation, else null.
const FinishedOperation* unordered_operation(std::uint32_t interval);

/// The operation of an interval if the host has not waited for it, else null.
const FinishedOperation* operation_not_waited_for(std::uint32_t interval);

/// Whether an operation has run for which the host has not waited.
bool some_not_waited_for();

void forget_operations();

/// The slow part of ordered(): accesses of other blocks, and of other threads in the same barrier interval.
bool ordered_by_fences(const Stamp& stamp);

/// True if the access of the stamp happened before the running thread's present access.
inline bool ordered(const Stamp& stamp) {
    if (stamp.interval < device.launch.ordered_before) return true;
    if (stamp.interval < device.launch.first_interval) return unordered_operation(stamp.interval) == nullptr;
    if (stamp.interval >= device.block_first) {
        const Thread& me = *device.thread;
        if (stamp.thread == me.id || stamp.interval < device.interval) return true;
        if (stamp.thread / kWarpLanes == me.id / kWarpLanes && me.interval == device.interval &&
            me.seen[stamp.thread % kWarpLanes] >= stamp.clock)
            return true;
    }
    return device.fenced && ordered_by_fences(stamp);
}

/// Forgets the orderings that applied to the last block only.
void begin_block_ordering();

/// The block that an interval belongs to, as its position in execution order.
std::uint32_t block_of(std::uint32_t interval);

}  // namespace attn::emulator
