#include "scheduler.h"

#include <cstring>
#include <map>
#include <new>
#include <vector>

#include <sys/mman.h>

#include "access_findings.h"
#include "findings.h"
#include "modules.h"
#include "ordering.h"
#include "queued_copies.h"
#include "stops.h"

// Our own switch, because Boost.Context's costs ten times as much: it saves the floating-point modes, which kernels
// do not change.
__asm__(
    ".text\n"
    ".globl attn_emulator_switch\n"
    ".hidden attn_emulator_switch\n"
    ".type attn_emulator_switch, @function\n"
    "attn_emulator_switch:\n"
    "  pushq %rbp\n"
    "  pushq %rbx\n"
    "  pushq %r12\n"
    "  pushq %r13\n"
    "  pushq %r14\n"
    "  pushq %r15\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  popq %r15\n"
    "  popq %r14\n"
    "  popq %r13\n"
    "  popq %r12\n"
    "  popq %rbx\n"
    "  popq %rbp\n"
    "  popq %rcx\n"
    "  jmp *%rcx\n"
    ".size attn_emulator_switch, .-attn_emulator_switch\n");

namespace attn::emulator {

/// Saves the callee-saved registers on this stack, stores the stack pointer in `*from`, and continues the
/// context `to`.
extern "C" void attn_emulator_switch(void** from, void* to);

Device device;

uint3 thread_index, block_index, block_size, grid_size;

static std::uint64_t order_state = 1;

void seed_order(std::uint64_t seed) {
    order_state = seed;
}

std::uint32_t random_below(std::uint32_t n) {
    // SplitMix64: small, fast, and the same with every standard library.
    std::uint64_t z = (order_state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<std::uint32_t>((z >> 32) * n >> 32);
}

namespace {

struct Pool {
    std::vector<std::uintptr_t> all, idle;
};

Pool& pool() {
    static auto* const instance = new Pool;
    return *instance;
}

/// Takes a stack from the pool. Returns its lowest address.
std::uintptr_t take_stack() {
    Pool& stacks = pool();
    if (stacks.idle.empty()) {
        void* memory = ::mmap(nullptr, kGuardSize + kStackSize, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        ::mprotect(memory, kGuardSize, PROT_NONE);
        stacks.all.push_back(reinterpret_cast<std::uintptr_t>(memory) + kGuardSize);
        stacks.idle.push_back(stacks.all.back());
    }
    const std::uintptr_t stack = stacks.idle.back();
    stacks.idle.pop_back();
    return stack;
}

void return_stack(std::uintptr_t stack) {
    pool().idle.push_back(stack);
}

/// Where the first frame on `stack` begins. Different values of `colour` are in different cache sets.
std::uintptr_t stack_top(std::uintptr_t stack, std::size_t colour) {
    constexpr std::size_t kApart = 192, kWithin = 4096, kStackAlignment = 16;
    return stack + kStackSize - colour * kApart % kWithin / kStackAlignment * kStackAlignment;
}

/// A context that starts `entry` on `stack`, at stack_top().
void* new_context(std::uintptr_t stack, std::size_t colour, void (*entry)()) {
    constexpr std::size_t kSavedRegisters = 6;
    auto* top = reinterpret_cast<std::uintptr_t*>(stack_top(stack, colour));
    *--top = 0;  // the return address of entry, which never returns
    *--top = reinterpret_cast<std::uintptr_t>(entry);
    return top - kSavedRegisters;
}

constexpr unsigned kAtomicsPerTurn = 64;  // a thread yields after so many atomics

struct Scheduler {
    std::vector<std::uint16_t> order;  // thread numbers, in the order of this round
    std::size_t at = 0;
    void* context = nullptr;  // of the host, which called run_blocks()
    bool left = false;        // a finding ended the launch
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
    ++device.switches;
    device.thread = &thread;
    thread_index = thread.index;
}

void run_threads();

/// Lets the waiting threads continue once all threads of the block that have not returned wait. (Since
/// compute capability 7.0 a barrier does not wait for threads that have returned: CUDA C++ Programming Guide,
/// "Independent Thread Scheduling".)
void open_barrier_if_complete() {
    if (scheduler.waiting == 0 || scheduler.waiting != device.thread_count - scheduler.done) return;
    for (unsigned id = 0; id < device.thread_count; ++id)
        if (device.threads[id].state == State::kAtBarrier) device.threads[id].state = State::kReady;
    scheduler.waiting = 0;
    scheduler.result = scheduler.gathered;
    ++device.interval;
}

/// Switches to the thread `to`, or to the scheduler if no thread is left in this round.
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

/// The main function of a fibre: runs one thread to its end, then the next one that has not begun. So a
/// kernel without barriers is a plain loop.
void run_threads() {
    for (;;) {
        Thread& thread = *device.thread;
        thread.state = State::kReady;
        device.launch.request.run(device.launch.request.call);
        if (device.has_pending_checks) run_pending_checks(0);
        thread.state = State::kDone;
        ++scheduler.done;
        restart_clock();
        leave_warp(thread);
        open_barrier_if_complete();
        Thread* following = next();
        if (following != nullptr && following->state == State::kNew) {
            following->stack = thread.stack;
            load(*following);
            continue;
        }
        return_stack(thread.stack);
        static void* unused_context;
        switch_to(following, &unused_context);
    }
}

std::string block_description() {
    return "of block " + triple(block_index.x, block_index.y, block_index.z) + " of kernel " +
           device.launch.request.name;
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
        thread.last_atomic = 0;
    }
    begin_warps();
    if (device.queued_copies > 0) forget_copies();
    scheduler.done = scheduler.waiting = 0;
    if (!device.checked && device.launch.module != nullptr)
        poison_shared(*device.launch.module, device.launch.shared);
}

/// Reports that no thread of the block can continue.
void report_deadlock() {
    bool in_warp = false;
    for (unsigned id = 0; id < device.thread_count; ++id)
        in_warp = in_warp || device.threads[id].state == State::kInWarp;
    device.launch.error = cudaErrorLaunchFailure;
    note(in_warp ? "absent_lane" : "divergent_barrier", device.launch.request.name,
         "The threads " + block_description() + " cannot all meet: " + where_threads_are() +
             (in_warp ? ". All lanes that a mask names must reach the same call."
                      : ". Every thread that has not returned must reach the same __syncthreads()."));
}

/// Collects the threads that can run, in an order drawn by seed. Returns false if there are none.
bool begin_round() {
    scheduler.order.clear();
    scheduler.at = 0;
    for (unsigned id = 0; id < device.thread_count; ++id) {
        const State state = device.threads[id].state;
        if (state == State::kReady || state == State::kNew)
            scheduler.order.push_back(static_cast<std::uint16_t>(id));
    }
    for (std::size_t left = scheduler.order.size(); left > 1; --left)
        std::swap(scheduler.order[left - 1], scheduler.order[random_below(static_cast<std::uint32_t>(left))]);
    return !scheduler.order.empty();
}

/// Returns false if a finding ended the launch.
bool run_block(std::uint32_t linear) {
    begin_block(linear);
    while (scheduler.done < device.thread_count) {
        if (!begin_round()) {
            report_deadlock();
            scheduler.left = true;
            return false;
        }
        switch_to(next(), &scheduler.context);
        if (scheduler.left) return false;
    }
    return true;
}

}  // namespace

bool in_a_guard(std::uintptr_t address) {
    for (const std::uintptr_t stack : pool().all)
        if (address >= stack - kGuardSize && address < stack) return true;
    return false;
}

void leave_launch(cudaError_t error) {
    device.launch.error = error;
    scheduler.left = true;
    static void* unused_context;
    switch_to(nullptr, &unused_context);
    __builtin_unreachable();
}

void make_ready(Thread& thread) {
    thread.state = State::kReady;
    if (&thread != device.thread) scheduler.order.push_back(thread.id);
}

void wait() {
    Thread* const me = device.thread;
    Thread* const following = next();
    if (following != me) switch_to(following, &me->context);  // the last lane to arrive may be next itself
}

void yield_turn() {
    scheduler.order.push_back(device.thread->id);
    wait();
}

void yield_occasionally() {
    if (++device.thread->turns % kAtomicsPerTurn == 0) yield_turn();
}

std::string where_threads_are() {
    std::map<std::string, std::vector<unsigned>> groups;  // by the description of a single thread
    for (unsigned id = 0; id < device.thread_count; ++id) {
        const Thread& thread = device.threads[id];
        std::string where = "runs";
        if (thread.state == State::kAtBarrier) where = "waits in " + place_name(thread.place);
        if (thread.state == State::kInWarp) where = "waits for its warp in " + place_name(thread.place);
        if (thread.state == State::kDone) where = "has returned";
        groups[where].push_back(id);
    }
    std::string text;
    for (const auto& [where, members] : groups)
        text += (text.empty() ? "thread " : "; thread ") + thread_name(members.front()) +
                (members.size() > 1 ? ", like " + std::to_string(members.size() - 1) + " more, " : " ") +
                where;
    return text;
}

int block_barrier(BarrierKind kind, int predicate, Place place) {
    Thread* const me = device.thread;
    if (me == nullptr) return 0;
    if (device.has_pending_checks) run_pending_checks(ATTN_EMULATOR_PC);
    me->place = place;
    const int vote = predicate != 0;
    if (scheduler.waiting == 0) {
        scheduler.gathered = kind == BarrierKind::kAnd;
        scheduler.kind = kind;
        scheduler.place = place;
    }
    if (kind != scheduler.kind || !same_place(place, scheduler.place)) {
        me->state = State::kAtBarrier;
        end_launch("divergent_barrier", device.launch.request.name,
                   "Threads " + block_description() + " wait at different barriers: " + where_threads_are() +
                       ". Every thread that has not returned must reach the same __syncthreads().",
                   cudaErrorLaunchFailure);
    }
    if (kind == BarrierKind::kCount) scheduler.gathered += vote;
    if (kind == BarrierKind::kOr) scheduler.gathered |= vote;
    if (kind == BarrierKind::kAnd) scheduler.gathered &= vote;
    me->state = State::kAtBarrier;
    ++scheduler.waiting;
    open_barrier_if_complete();
    wait();
    return scheduler.result;
}

bool run_blocks() {
    scheduler.left = false;
    for (const std::uint32_t linear : device.launch.block_order) {
        if (run_block(linear)) continue;
        // The remaining threads are abandoned; only their stacks are reused.
        for (unsigned id = 0; id < device.thread_count; ++id)
            if (device.threads[id].state != State::kDone && device.threads[id].state != State::kNew)
                return_stack(device.threads[id].stack);
        return false;
    }
    return true;
}

}  // namespace attn::emulator
