#pragma once
/// Which accesses happened before which, whatever the schedule: by launches, barriers, __syncwarp, and fences
/// with atomics.

#include <cstdint>

#include "device.h"
#include "shadow.h"

namespace attn::emulator {

/// Slow half of ordered(): accesses of other blocks and of other threads in the same barrier interval.
bool ordered_by_fences(const Stamp& stamp);

/// True where what the stamp says happened before what the running thread does now.
inline bool ordered(const Stamp& stamp) {
    if (stamp.interval < device.launch.first_interval) return true;
    if (stamp.interval >= device.block_first) {
        const Thread& me = *device.thread;
        if (stamp.thread == me.id || stamp.interval < device.interval) return true;
        if (stamp.thread / kWarpLanes == me.id / kWarpLanes && me.interval == device.interval &&
            me.seen[stamp.thread % kWarpLanes] >= stamp.clock)
            return true;
    }
    return device.fenced && ordered_by_fences(stamp);
}

/// Forgets what only the last block knew.
void begin_block_ordering();

/// Which block of the launch (in the order run) an interval belongs to.
std::uint32_t block_of(std::uint32_t interval);

}  // namespace attn::emulator
