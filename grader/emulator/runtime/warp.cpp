#include "warp.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "access_findings.h"
#include "device_state.h"
#include "scheduler.h"

namespace attn::emulator {
namespace {

/// Lanes with the same mask that wait for each other. A warp may have several such groups at once. Each lane
/// reads the values when it runs again, so the group stays until the last lane has read them.
struct Group {
    unsigned mask = 0;  // 0: the group is not in use
    unsigned arrived = 0;
    unsigned taken = 0;
    bool complete = false;  // all lanes of the mask that have not returned have arrived
    WarpCall call = WarpCall::kSync;
    Place place;
    std::uint64_t values[kWarpLanes] = {};
};

/// Lanes that call __activemask() in one place, and what it returns to them (0: not known yet).
struct Active {
    Place place;
    unsigned arrived = 0, result = 0, taken = 0;
};
constexpr unsigned kTurnsForOthers = 64;  // that a lane in __activemask() gives the other lanes

struct Warp {
    unsigned alive = 0;
    unsigned used = 0;  // groups[used] and all later ones have not been used in this block
    Group groups[kWarpLanes + 1];
    bool asked = false;  // a lane has called __activemask() in this block
    Active active[kWarpLanes + 1];
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

/// After a __syncwarp, whatever is ordered before one lane of the group is ordered before all of them.
void exchange_clocks(const Group& group, unsigned first) {
    std::uint32_t known[kWarpLanes] = {};
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if ((group.arrived >> lane & 1) == 0) continue;
        Thread& thread = device.threads[first + lane];
        refresh(thread);
        for (unsigned other = 0; other < kWarpLanes; ++other)
            known[other] = std::max(known[other], thread.seen[other]);
        known[lane] = std::max(known[lane], thread.clock);
    }
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if ((group.arrived >> lane & 1) == 0) continue;
        Thread& thread = device.threads[first + lane];
        std::memcpy(thread.seen, known, sizeof known);
        ++thread.clock;
    }
}

/// Lets the lanes of a group continue if all that have not returned have arrived.
void complete_if_all_are_here(Group& group, unsigned alive) {
    if (group.mask == 0 || group.complete || group.arrived != (group.mask & alive)) return;
    group.complete = true;
    const unsigned first = device.thread->id / kWarpLanes * kWarpLanes;
    if (group.call == WarpCall::kSync && device.checked) exchange_clocks(group, first);
    for (unsigned left = group.arrived; left != 0; left &= left - 1)
        make_ready(device.threads[first + static_cast<unsigned>(std::countr_zero(left))]);
}

/// The group that this lane joins. The first lane creates it.
Group& join(Warp& warp, WarpCall call, unsigned mask, const Place& place) {
    Group* vacant = &warp.groups[warp.used];
    for (unsigned at = 0; at < warp.used; ++at) {
        Group& group = warp.groups[at];
        if (group.mask == 0) vacant = &group;
        if ((group.mask & mask) == 0 || group.complete) continue;
        // Lanes may call __syncwarp in different lines, but must call a shuffle in the same line.
        const bool fits = group.mask == mask && group.call == call &&
                          (call == WarpCall::kSync || group.place.line() == place.line());
        if (fits) return group;
        absent(place, place_name(place) + ": " + running_thread_name() + " waits with mask " + hex(mask) +
                          ", but lanes " + lane_list(group.arrived) + " of its warp wait in " +
                          place_name(group.place) + " with mask " + hex(group.mask) +
                          ". All lanes that a mask names must reach the same call.");
    }
    if (vacant == &warp.groups[warp.used]) ++warp.used;
    vacant->mask = mask;
    vacant->arrived = vacant->taken = 0;
    vacant->complete = false;
    vacant->call = call;
    vacant->place = place;
    return *vacant;
}

/// Shares `value` with the lanes of `mask` and waits for their values. The caller reads these and then calls
/// leave().
Group& meet(WarpCall call, unsigned mask, std::uint64_t value, const Place& place, std::uintptr_t pc) {
    Thread* const me = device.thread;
    if (device.has_pending_checks) run_pending_checks(pc);
    Warp& warp = my_warp();
    const unsigned own = me->id % kWarpLanes;
    if ((mask >> own & 1) == 0)
        absent(place, place_name(place) + ": " + running_thread_name() + " is lane " + std::to_string(own) +
                          " and calls with mask " + hex(mask) + ", in which it is not.");
    Group& group = join(warp, call, mask, place);
    group.arrived |= 1u << own;
    group.values[own] = value;
    me->place = place;
    me->state = State::kInWarp;
    complete_if_all_are_here(group, warp.alive);
    if (!group.complete) wait();
    return group;
}

void leave(Group& group) {
    group.taken |= 1u << device.thread->id % kWarpLanes;
    if (group.taken == group.arrived) group.mask = 0;
}

/// True if a lane of this warp could still come to where others wait in __activemask().
bool others_run(const Warp& warp) {
    unsigned parked = 0;
    for (const Active& active : warp.active)
        if (active.result == 0) parked |= active.arrived;
    const unsigned first = device.thread->id / kWarpLanes * kWarpLanes;
    for (unsigned left = warp.alive & ~parked; left != 0; left &= left - 1) {
        const State state = device.threads[first + static_cast<unsigned>(std::countr_zero(left))].state;
        if (state == State::kReady || state == State::kNew) return true;
    }
    return false;
}

Active& active_at(Warp& warp, const Place& place) {
    warp.asked = true;
    Active* vacant = nullptr;
    for (Active& active : warp.active) {
        if (active.arrived != 0 && active.result == 0 && same_place(active.place, place)) return active;
        if (active.arrived == 0 && vacant == nullptr) vacant = &active;
    }
    vacant->place = place;
    return *vacant;
}

}  // namespace

void begin_warps() {
    for (unsigned warp = 0; warp * kWarpLanes < device.thread_count; ++warp) {
        const unsigned lanes = std::min(kWarpLanes, device.thread_count - warp * kWarpLanes);
        warps[warp].alive = lanes == kWarpLanes ? ~0u : (1u << lanes) - 1;
        for (unsigned at = 0; at < warps[warp].used; ++at) warps[warp].groups[at].mask = 0;
        warps[warp].used = 0;
        if (!std::exchange(warps[warp].asked, false)) continue;
        std::fill(std::begin(warps[warp].active), std::end(warps[warp].active), Active());
    }
}

void leave_warp(const Thread& thread) {
    Warp& warp = warps[thread.id / kWarpLanes];
    warp.alive &= ~(1u << thread.id % kWarpLanes);
    for (unsigned at = 0; at < warp.used; ++at) complete_if_all_are_here(warp.groups[at], warp.alive);
}

unsigned lane() {
    return device.thread == nullptr ? 0 : device.thread->id % kWarpLanes;
}

unsigned active_lanes(Place place) {
    if (device.thread == nullptr) return 1;
    if (device.has_pending_checks) run_pending_checks(ATTN_EMULATOR_PC);
    Warp& warp = my_warp();
    const unsigned bit = 1u << device.thread->id % kWarpLanes;
    Active& here = active_at(warp, place);
    here.arrived |= bit;
    for (unsigned turn = 0; here.result == 0 && turn < kTurnsForOthers && others_run(warp); ++turn)
        yield_turn();
    if (here.result == 0) here.result = here.arrived;
    const unsigned result = here.result;
    here.taken |= bit;
    if (here.taken == result) here = Active();
    return result;
}

unsigned warp_gather(WarpCall call, unsigned mask, std::uint64_t value, std::uint64_t (&lanes)[32],
                     Place place) {
    if (device.thread == nullptr) {
        lanes[0] = value;
        return 1;
    }
    Group& group = meet(call, mask, value, place, ATTN_EMULATOR_PC);
    std::memcpy(lanes, group.values, sizeof group.values);
    const unsigned arrived = group.arrived;
    leave(group);
    return arrived;
}

void warp_sync(unsigned mask, Place place) {
    if (device.thread == nullptr) return;
    leave(meet(WarpCall::kSync, mask, 0, place, ATTN_EMULATOR_PC));
}

std::uint64_t warp_shuffle(WarpCall call, unsigned mask, std::uint64_t value, int operand, int width,
                           Place place) {
    if (device.thread == nullptr) return value;
    Group& met = meet(call, mask, value, place, ATTN_EMULATOR_PC);
    const int own = device.thread->id % static_cast<int>(kWarpLanes), group = own & ~(width - 1);
    int source = own;
    if (call == WarpCall::kShuffle) source = group + (operand & (width - 1));
    if (call == WarpCall::kUp && own - operand >= group) source = own - operand;
    if (call == WarpCall::kDown && own + operand < group + width) source = own + operand;
    if (call == WarpCall::kXor && (own ^ operand) < group + width) source = own ^ operand;
    if ((mask >> source & 1) == 0)
        absent(place, place_name(place) + ": " + running_thread_name() + " reads from lane " +
                          std::to_string(source) + ", which is not in the mask " + hex(mask) + ".");
    if ((met.arrived >> source & 1) == 0)
        absent(place, place_name(place) + ": " + running_thread_name() + " reads from lane " +
                          std::to_string(source) +
                          ", which has returned, or the block has no such thread: the value is undefined.");
    const std::uint64_t result = met.values[source];
    leave(met);
    return result;
}

}  // namespace attn::emulator
