#pragma once
/// The happens-before order of accesses, which holds for every schedule: by launches, barriers, __syncwarp,
/// and fences with atomics.

#include <cstdint>

#include "device_state.h"
#include "operation_order.h"
#include "shadow.h"

namespace attn::emulator {

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
