#include "warp.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "device.h"
#include "report.h"
#include "scheduler.h"

namespace attn::emulator {
namespace {

/// Lanes with one mask that wait for each other; a warp may have several such groups at once.
struct Group {
    unsigned mask;
    unsigned arrived;
    WarpCall call;
    Place place;
    std::uint64_t values[kWarpLanes];
};

struct Warp {
    unsigned alive = 0;
    std::vector<Group> groups;
};
Warp warps[kMaxThreads / kWarpLanes];

Warp& my_warp() {
    return warps[device.thread->id / kWarpLanes];
}

std::string hex(unsigned mask) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%08x", mask);
    return text;
}

std::string lane_list(unsigned mask) {
    std::string text;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
        if ((mask >> lane & 1) != 0) text += (text.empty() ? "" : ", ") + std::to_string(lane);
    return text;
}

[[noreturn]] void absent(const Place& place, const std::string& text) {
    end_launch("absent_lane", place_name(place) + device.launch.request.name, text, cudaErrorLaunchFailure);
}

/// After a __syncwarp every lane of the mask knows what the others knew.
void exchange_clocks(const Group& group, unsigned first) {
    std::uint32_t known[kWarpLanes] = {};
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if ((group.mask >> lane & 1) == 0) continue;
        Thread& thread = device.threads[first + lane];
        refresh(thread);
        for (unsigned other = 0; other < kWarpLanes; ++other)
            known[other] = std::max(known[other], thread.seen[other]);
        known[lane] = std::max(known[lane], thread.clock);
    }
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if ((group.mask >> lane & 1) == 0) continue;
        Thread& thread = device.threads[first + lane];
        std::memcpy(thread.seen, known, sizeof known);
        ++thread.clock;
    }
}

/// Everybody is there: hands out what they brought.
void complete(Warp& warp, std::size_t at) {
    const Group& group = warp.groups[at];
    const unsigned first = device.thread->id / kWarpLanes * kWarpLanes;
    if (group.call == WarpCall::kSync && device.checked) exchange_clocks(group, first);
    for (unsigned left = group.mask; left != 0; left &= left - 1) {
        Thread& thread = device.threads[first + static_cast<unsigned>(std::countr_zero(left))];
        if (group.call != WarpCall::kSync) std::memcpy(thread.lanes, group.values, sizeof group.values);
        make_ready(thread);
    }
    warp.groups.erase(warp.groups.begin() + static_cast<std::ptrdiff_t>(at));
}

/// The group that this lane joins; new if it is the first.
std::size_t join(Warp& warp, WarpCall call, unsigned mask, const Place& place) {
    std::size_t found = warp.groups.size();
    for (std::size_t at = 0; at < warp.groups.size(); ++at) {
        const Group& group = warp.groups[at];
        if ((group.mask & mask) == 0) continue;
        // A __syncwarp may be met in several lines, a shuffle only in one.
        const bool fits = group.mask == mask && group.call == call &&
                          (call == WarpCall::kSync || group.place.line() == place.line());
        if (!fits)
            absent(place, place_name(place) + ": " + who() + " waits with mask " + hex(mask) +
                              ", but lanes " + lane_list(group.arrived) + " of its warp wait in " +
                              place_name(group.place) + " with mask " + hex(group.mask) +
                              ". All lanes that a mask names must come to the same call.");
        found = at;
    }
    if (found == warp.groups.size()) warp.groups.push_back({mask, 0, call, place, {}});
    return found;
}

}  // namespace

void begin_warps() {
    for (unsigned warp = 0; warp * kWarpLanes < device.thread_count; ++warp) {
        const unsigned lanes = std::min(kWarpLanes, device.thread_count - warp * kWarpLanes);
        warps[warp].alive = lanes == kWarpLanes ? ~0u : (1u << lanes) - 1;
        warps[warp].groups.clear();
    }
}

void leave_warp(const Thread& thread) {
    Warp& warp = warps[thread.id / kWarpLanes];
    const unsigned bit = 1u << thread.id % kWarpLanes;
    warp.alive &= ~bit;
    for (const Group& group : warp.groups)
        if ((group.mask & bit) != 0)
            absent(group.place, place_name(group.place) + ": lanes " + lane_list(group.arrived) +
                                    " wait with mask " + hex(group.mask) + " for lane " +
                                    std::to_string(thread.id % kWarpLanes) + ", which has returned: " +
                                    who() + ". Only lanes that come to the call may be in its mask.");
}

unsigned lane() {
    return device.thread == nullptr ? 0 : device.thread->id % kWarpLanes;
}

unsigned active_lanes() {
    return device.thread == nullptr ? 0 : my_warp().alive;
}

void warp_gather(WarpCall call, unsigned mask, std::uint64_t value, std::uint64_t (&lanes)[32], Place place) {
    Thread* const me = device.thread;
    if (me == nullptr) return;
    if (device.attention) attend(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
    Warp& warp = my_warp();
    const unsigned own = me->id % kWarpLanes;
    if ((mask >> own & 1) == 0)
        absent(place, place_name(place) + ": " + who() + " is lane " + std::to_string(own) +
                          " and calls with mask " + hex(mask) + ", in which it is not.");
    if ((mask & ~warp.alive) != 0)
        absent(place, place_name(place) + ": " + who() + " calls with mask " + hex(mask) +
                          ", but of these lanes " + lane_list(mask & ~warp.alive) +
                          " have returned, or the block has no such threads.");
    const std::size_t at = join(warp, call, mask, place);
    Group& group = warp.groups[at];
    group.arrived |= 1u << own;
    group.values[own] = value;
    me->place = place;
    me->mask = mask;
    me->lanes = lanes;
    me->state = State::kInWarp;
    if (group.arrived == mask) {
        complete(warp, at);
        return;
    }
    wait();
}

std::uint64_t warp_shuffle(WarpCall call, unsigned mask, std::uint64_t value, int operand, int width,
                           Place place) {
    if (device.thread == nullptr) return value;
    std::uint64_t lanes[32];
    warp_gather(call, mask, value, lanes, place);
    const int own = static_cast<int>(lane()), group = own & ~(width - 1);
    int source = own;
    if (call == WarpCall::kShuffle) source = group + (operand & (width - 1));
    if (call == WarpCall::kUp && own - operand >= group) source = own - operand;
    if (call == WarpCall::kDown && own + operand < group + width) source = own + operand;
    if (call == WarpCall::kXor && (own ^ operand) < group + width) source = own ^ operand;
    if ((mask >> source & 1) == 0)
        absent(place, place_name(place) + ": " + who() + " reads from lane " + std::to_string(source) +
                          ", which is not in the mask " + hex(mask) + ".");
    return lanes[source];
}

}  // namespace attn::emulator
