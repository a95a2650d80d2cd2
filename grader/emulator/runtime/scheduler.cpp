#include "scheduler.h"

#include <cstring>
#include <map>
#include <vector>

#include "fibre.h"
#include "findings.h"
#include "modules.h"
#include "ordering.h"
#include "report.h"

namespace attn::emulator {
namespace {

constexpr unsigned kPatience = 64;  // atomics in a row after which others get their turn

struct Scheduler {
    std::vector<std::uint16_t> order;  // who runs in this round
    std::size_t at = 0;
    void* context = nullptr;  // of the host, which called
    bool left = false;        // the launch was ended by a finding
    unsigned done = 0;
    // The barrier of the block.
    unsigned waiting = 0;
    int gathered = 0;
    int result = 0;
    BarrierKind kind = BarrierKind::kSync;
    Place place;
};
Scheduler scheduler;

Thread* next() {
    while (scheduler.at < scheduler.order.size()) {
        Thread& thread = device.threads[scheduler.order[scheduler.at++]];
        if (thread.state == State::kReady || thread.state == State::kNew) return &thread;
    }
    return nullptr;
}

void load(Thread& thread) {
    device.thread = &thread;
    thread_index = thread.index;
}

void run_threads();

/// Leaves this context for `to`, or for the scheduler where nobody is left in this round.
void switch_to(Thread* to, void** from) {
    if (to == nullptr) {
        device.thread = nullptr;
        attn_emulator_switch(from, scheduler.context);
        return;
    }
    if (to->state == State::kNew) {
        to->stack = take_stack();
        to->context = new_context(to->stack, to->id, run_threads);
    }
    load(*to);
    attn_emulator_switch(from, to->context);
}

/// What a fibre does: runs a thread from its first line to its last, then the next one that has not begun, so
/// that a kernel without barriers is a plain loop.
void run_threads() {
    for (;;) {
        Thread& thread = *device.thread;
        thread.state = State::kReady;
        device.launch.request.run(device.launch.request.call);
        if (device.attention) attend(0);
        thread.state = State::kDone;
        ++scheduler.done;
        leave_warp(thread);
        Thread* following = next();
        if (following != nullptr && following->state == State::kNew) {
            following->stack = thread.stack;
            load(*following);
            continue;
        }
        give_stack_back(thread.stack);
        static void* nowhere;
        switch_to(following, &nowhere);
    }
}

std::string of_block() {
    return "of block " + triple(block_index.x, block_index.y, block_index.z) + " of kernel " +
           device.launch.request.name;
}

bool same(const Place& a, const Place& b) {
    return a.line() == b.line() && a.column() == b.column() &&
           (a.file_name() == b.file_name() || std::strcmp(a.file_name(), b.file_name()) == 0);
}

void begin_block(std::uint32_t linear) {
    const dim3& grid = device.launch.grid;
    block_index = {linear % grid.x, linear / grid.x % grid.y, linear / grid.x / grid.y};
    device.block_first = ++device.interval;
    device.launch.block_intervals.push_back(device.interval);
    begin_block_ordering();
    const dim3& size = device.launch.block;
    for (unsigned id = 0; id < device.thread_count; ++id) {
        Thread& thread = device.threads[id];
        thread.state = State::kNew;
        thread.id = static_cast<std::uint16_t>(id);
        thread.index = {id % size.x, id / size.x % size.y, id / size.x / size.y};
        thread.fenced = false;
        thread.turns = 0;
    }
    begin_warps();
    scheduler.done = scheduler.waiting = 0;
    if (!device.checked && device.launch.module != nullptr)
        poison_shared(*device.launch.module, device.launch.shared);
}

/// Nobody can go on.
void report_stuck() {
    bool in_warp = false;
    for (unsigned id = 0; id < device.thread_count; ++id)
        in_warp = in_warp || device.threads[id].state == State::kInWarp;
    device.launch.error = cudaErrorLaunchFailure;
    note(in_warp ? "absent_lane" : "divergent_barrier", device.launch.request.name,
         "The threads " + of_block() + " cannot all meet: " + where_threads_are() +
             (in_warp ? ". All lanes that a mask names must come to the same call."
                      : ". Every thread of a block must come to the same __syncthreads()."));
}

/// Everybody who can run, in an order that the seed draws.
bool begin_round() {
    scheduler.order.clear();
    scheduler.at = 0;
    for (unsigned id = 0; id < device.thread_count; ++id) {
        const State state = device.threads[id].state;
        if (state == State::kReady || state == State::kNew)
            scheduler.order.push_back(static_cast<std::uint16_t>(id));
    }
    for (std::size_t left = scheduler.order.size(); left > 1; --left)
        std::swap(scheduler.order[left - 1], scheduler.order[below(static_cast<std::uint32_t>(left))]);
    return !scheduler.order.empty();
}

/// False where the launch was left.
bool run_block(std::uint32_t linear) {
    begin_block(linear);
    while (scheduler.done < device.thread_count) {
        if (!begin_round()) {
            report_stuck();
            scheduler.left = true;
            return false;
        }
        switch_to(next(), &scheduler.context);
        if (scheduler.left) return false;
    }
    return true;
}

}  // namespace

void leave_launch(cudaError_t error) {
    device.launch.error = error;
    scheduler.left = true;
    static void* nowhere;
    switch_to(nullptr, &nowhere);
    __builtin_unreachable();
}

void make_ready(Thread& thread) {
    thread.state = State::kReady;
    if (&thread != device.thread) scheduler.order.push_back(thread.id);
}

void wait() {
    Thread* const me = device.thread;
    Thread* const following = next();
    if (following != me) switch_to(following, &me->context);  // the last lane may schedule itself
}

void take_turns() {
    Thread& me = *device.thread;
    if (++me.turns % kPatience != 0) return;
    scheduler.order.push_back(me.id);
    wait();
}

std::string where_threads_are() {
    std::map<std::string, std::pair<unsigned, unsigned>> groups;  // how many, and the first of them
    for (unsigned id = 0; id < device.thread_count; ++id) {
        const Thread& thread = device.threads[id];
        std::string where;
        if (thread.state == State::kAtBarrier)
            where = "wait in " + place_name(thread.place);
        else if (thread.state == State::kInWarp)
            where = "wait for their warp in " + place_name(thread.place);
        else if (thread.state == State::kDone)
            where = "have returned";
        else
            where = "run";
        auto& group = groups[where];
        if (group.first++ == 0) group.second = id;
    }
    std::string text;
    for (const auto& [where, group] : groups) {
        if (!text.empty()) text += ", ";
        text += std::to_string(group.first) + (group.first == 1 ? " thread (" : " threads (") +
                (group.first == 1 ? "" : "the first is ") + thread_name(group.second) + ") " + where;
    }
    return text;
}

int block_barrier(BarrierKind kind, int predicate, Place place) {
    Thread* const me = device.thread;
    if (me == nullptr) return 0;
    if (device.attention) attend(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
    me->place = place;
    const int vote = predicate != 0;
    if (scheduler.waiting == 0) {
        scheduler.gathered = kind == BarrierKind::kAnd;
        scheduler.kind = kind;
        scheduler.place = place;
    }
    if (kind != scheduler.kind || !same(place, scheduler.place)) {
        me->state = State::kAtBarrier;
        end_launch("divergent_barrier", device.launch.request.name,
                   "Threads " + of_block() + " wait at different barriers: " + where_threads_are() +
                       ". Every thread of a block must come to the same __syncthreads().",
                   cudaErrorLaunchFailure);
    }
    if (kind == BarrierKind::kCount) scheduler.gathered += vote;
    if (kind == BarrierKind::kOr) scheduler.gathered |= vote;
    if (kind == BarrierKind::kAnd) scheduler.gathered &= vote;
    me->state = State::kAtBarrier;
    if (++scheduler.waiting == device.thread_count) {
        for (unsigned id = 0; id < device.thread_count; ++id) device.threads[id].state = State::kReady;
        scheduler.waiting = 0;
        scheduler.result = scheduler.gathered;
        ++device.interval;
    }
    wait();
    return scheduler.result;
}

bool run_blocks() {
    scheduler.left = false;
    for (const std::uint32_t linear : device.launch.block_order) {
        if (run_block(linear)) continue;
        // The stacks of the threads that are left where they are.
        for (unsigned id = 0; id < device.thread_count; ++id)
            if (device.threads[id].state != State::kDone && device.threads[id].state != State::kNew)
                give_stack_back(device.threads[id].stack);
        return false;
    }
    return true;
}

}  // namespace attn::emulator
