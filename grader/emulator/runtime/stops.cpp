#include "stops.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>

#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>

#include "access_findings.h"
#include "assert.h"
#include "attn_emulator.h"
#include "device_bits.h"
#include "device_state.h"
#include "findings.h"
#include "modules.h"
#include "scheduler.h"
#include "shadow.h"

namespace attn::emulator {
namespace {

constexpr long kTickMicroseconds = 100000;
constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

struct sigaction before[std::size(kFaults)];

/// The fault that a signal handler records for explain_fault(), which then runs instead of the kernel.
struct Fault {
    int signal;
    std::uintptr_t address;
    std::uintptr_t pc;
    bool write;
};
Fault fault;

volatile sig_atomic_t ticks = 0;
volatile sig_atomic_t ticks_allowed = 100;
volatile sig_atomic_t watching = 0;

void explain_fault() {
    const std::uintptr_t pc = fault.pc + 1;  // place_of() expects a return address
    const std::string where = place_of(pc) + ": " + running_thread_name();
    const std::string key = std::to_string(fault.pc) + device.launch.request.name;
    if (fault.signal == SIGFPE)
        end_launch("kernel_trap", key, where + " divides an integer by zero.", cudaErrorLaunchFailure);
    if (fault.signal == SIGILL)
        end_launch("kernel_trap", key, where + " executed a trap instruction.", cudaErrorLaunchFailure);
    if (in_a_guard(fault.address))
        end_launch(
            "stack_overflow", key,
            where + " needs more than " + std::to_string(kStackSize >> 10) +
                " KiB of local variables: does a function call itself without end, or is an array too large?",
            cudaErrorLaunchFailure);
    report_wild_access(fault.address, 0, fault.write ? Access::kWrite : Access::kRead, pc);
}

std::uintptr_t program_counter(const ucontext_t& context) {
    return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
}

/// Whether the access that failed was a write.
bool was_write(const ucontext_t& context) {
    constexpr greg_t kWriteBit = 2;  // in the processor's error code
    return (context.uc_mcontext.gregs[REG_ERR] & kWriteBit) != 0;
}

/// Makes `instead` run in place of the interrupted code, which never continues, on a spare stack, because no fibre's can be
/// trusted now.
void divert(ucontext_t& context, void (*instead)()) {
    alignas(64) static char spare[256 << 10];
    const auto top = reinterpret_cast<std::uintptr_t>(std::end(spare));
    context.uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(top - 8);  // aligned as after a call
    context.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(instead);
}

void on_fault(int signal, siginfo_t* info, void* data) {
    auto* context = static_cast<ucontext_t*>(data);
    if (device.thread != nullptr) {
        fault = {signal, reinterpret_cast<std::uintptr_t>(info->si_addr), program_counter(*context),
                 was_write(*context)};
        divert(*context, explain_fault);
        return;
    }
    // The fault is not a kernel's: pass it to the previous handler. Without one the program ends as it would
    // without us.
    const auto which =
        static_cast<std::size_t>(std::find(std::begin(kFaults), std::end(kFaults), signal) - kFaults);
    const struct sigaction& old = before[which];
    if ((old.sa_flags & SA_SIGINFO) != 0)
        old.sa_sigaction(signal, info, data);
    else if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN)
        old.sa_handler(signal);
    else
        ::signal(signal, SIG_DFL);
}

/// Runs on the interrupted stack, so that a kernel's thread can be switched away here and continued later.
void on_tick(int, siginfo_t*, void* data) {
    if (watching == 0) return;
    ticks = ticks + 1;
    if (time_is_up())
        device.has_pending_checks = true;  // the kernel's next call into the run time handles it
    const auto* context = static_cast<ucontext_t*>(data);
    const std::uintptr_t pc = program_counter(*context);
    // The kernel's own code can be interrupted anywhere. Other code may hold a lock.
    if (device.thread == nullptr || module_of(pc) == nullptr) return;
    if (time_is_up()) report_endless(pc + 1);
    // A fast build does not call the run time for every access. A thread that has run alone since the last
    // tick may wait for another thread, so let the others run.
    static std::uint64_t switches_before = 0;
    if (!device.checked && device.switches == switches_before) yield_turn();
    switches_before = device.switches;
}

/// Installs the handlers and the timer at load. A sandbox may forbid that later, but does not remove them.
bool install() {
    stack_t stack{};
    if (::sigaltstack(nullptr, &stack) == 0 && (stack.ss_flags & SS_DISABLE) != 0) {
        alignas(64) static char room[64 << 10];
        stack = {};
        stack.ss_sp = room;
        stack.ss_size = sizeof room;
        ::sigaltstack(&stack, nullptr);
    }
    struct sigaction action {};
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    action.sa_sigaction = on_fault;
    for (std::size_t k = 0; k < std::size(kFaults); ++k) ::sigaction(kFaults[k], &action, &before[k]);
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER;
    action.sa_sigaction = on_tick;
    ::sigaction(SIGVTALRM, &action, nullptr);
    const itimerval timer{{0, kTickMicroseconds}, {0, kTickMicroseconds}};
    ::setitimer(ITIMER_VIRTUAL, &timer, nullptr);
    return true;
}

[[maybe_unused]] const bool installed = install();

/// "10", "0.5".
std::string limit_text() {
    const int tenths = static_cast<int>(ticks_allowed);
    return std::to_string(tenths / 10) + (tenths % 10 != 0 ? "." + std::to_string(tenths % 10) : "");
}

void on_termination(int) {
    if (device.running) {
        const detail::Request& request = device.launch.request;
        char line[512];
        const int size = std::snprintf(
            line, sizeof line, "progress\tkernel %.200s had run %zu of %zu blocks\n", request.name,
            device.launch.block_intervals.size() - 1, device.launch.block_order.size());
        write_line(line, std::min(static_cast<std::size_t>(size), sizeof line - 1));
    }
    ::signal(SIGTERM, SIG_DFL);
    ::raise(SIGTERM);
}

std::string list(const int* numbers, int count, char open, char close) {
    std::string text(1, open);
    for (int k = 0; k < count; ++k) text += (k != 0 ? ", " : "") + std::to_string(numbers[k]);
    return text + close;
}

}  // namespace

void watch_launch(bool runs) {
    ticks = 0;
    watching = runs ? 1 : 0;
}

void restart_clock() {
    ticks = 0;
}

bool time_is_up() {
    return ticks >= ticks_allowed;
}

void set_time_limit(double seconds) {
    ticks_allowed =
        static_cast<sig_atomic_t>(std::clamp(std::ceil(seconds * 1e6 / kTickMicroseconds), 1.0, 1e8));
}

void report_endless(std::uintptr_t pc) {
    watching = 0;
    std::string text = "Kernel " + std::string(device.launch.request.name) +
                       " does not end: no thread has returned for " + limit_text() + " s of CPU time; " +
                       running_thread_name() + (pc > 1 ? " is at " + place_of(pc) : " still runs") +
                       "; in its block, " + where_threads_are() + ".";
    if (device.launch.block_order.size() > 1)
        text += " If it waits for another block: blocks need not run at the same time.";
    end_launch("endless", device.launch.request.name, text, cudaErrorLaunchTimeout);
}

void report_progress_when_terminated() {
    ::signal(SIGTERM, on_termination);
}

void run_pending_checks(std::uintptr_t pc, std::uintptr_t address) {
    device.has_pending_checks = false;
    settle_array_index(address);
    settle_write();
    if (time_is_up()) report_endless(pc);
}

long long device_clock() {
    static long long count = 0;
    if (device.thread != nullptr) {
        if (device.has_pending_checks) run_pending_checks(ATTN_EMULATOR_PC);
        yield_occasionally();
    }
    return count += 16;
}

extern "C" __attribute__((visibility("default"))) long attn_emulator_clock() {
    return device.thread != nullptr ? static_cast<long>(device_clock()) : ::clock();
}

void kernel_trap() {
    const auto pc = ATTN_EMULATOR_PC;
    if (device.thread == nullptr) __builtin_trap();
    end_launch("kernel_trap", std::to_string(pc) + device.launch.request.name,
               place_of(pc) + ": " + running_thread_name() + " calls __trap().", cudaErrorLaunchFailure);
}

void kernel_assert_failed(const char* expression, const char* file, int line) {
    if (device.thread == nullptr) return;
    end_launch("kernel_assert", place_name(file, line),
               place_name(file, line) + ": " + running_thread_name() + ": assertion " + expression +
                   " does not hold.",
               cudaErrorAssert);
}

void index_error(const int* index, const int* shape, int rank, const void* data) {
    if (device.thread == nullptr) return;
    const auto pc = ATTN_EMULATOR_PC;
    const std::string name = data == nullptr ? "" : argument_name(reinterpret_cast<std::uintptr_t>(data), 1);
    std::string text = place_of(pc) + ": " + running_thread_name() + " asks for element " +
                       list(index, rank, '(', ')') + " of " + (name.empty() ? "a tensor" : name) + " " +
                       list(shape, rank, '[', ']');
    if (data == nullptr) text += ", a view without memory";
    for (int axis = 0; axis < rank && data != nullptr; ++axis) {
        if (index[axis] >= 0 && index[axis] < shape[axis]) continue;
        text += "; index " + std::to_string(index[axis]) +
                (shape[axis] == 0 ? " is on an empty axis"
                                  : " goes from 0 to " + std::to_string(shape[axis] - 1));
        break;
    }
    const auto number = static_cast<std::uint64_t>(block_index.x) * block_size.x + thread_index.x;
    for (int axis = 0; axis < rank; ++axis)
        if (index[axis] >= shape[axis] && static_cast<std::uint64_t>(index[axis]) == number) {
            text += ". This is thread number " + std::to_string(number) +
                    " of the grid: a bounds check (if (i < n)) is missing";
            break;
        }
    end_launch("outside_of_tensor", std::to_string(pc) + device.launch.request.name, text + ".",
               cudaErrorIllegalAddress);
}

}  // namespace attn::emulator
