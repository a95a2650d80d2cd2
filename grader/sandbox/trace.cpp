#include "grader/sandbox/trace.h"

#include <cerrno>
#include <csignal>
#include <utility>

#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/sandbox/dumpable.h"

namespace attn::worker {
namespace {

/// The stack pointer of the stopped child, or 0.
std::uint64_t stack_pointer_of([[maybe_unused]] pid_t child) noexcept {
#if defined(__x86_64__)
    user_regs_struct registers{};
    if (ptrace(PTRACE_GETREGS, child, nullptr, &registers) == 0) return registers.rsp;
#endif
    return 0;
}

}  // namespace

bool Trace::begin(pid_t child) noexcept {
    if (ptrace(PTRACE_SEIZE, child, nullptr, PTRACE_O_EXITKILL) != 0) return false;
    child_ = child;
    return true;
}

void Trace::record_fault(int signal) noexcept {
    siginfo_t info{};
    if (fault_ || ptrace(PTRACE_GETSIGINFO, child_, nullptr, &info) != 0) return;
    if (info.si_code <= 0) return;  // sent by a process, which can choose any address
    switch (signal) {
        case SIGSEGV:
        case SIGBUS: {
            const auto address = reinterpret_cast<std::uint64_t>(info.si_addr);
            // A new stack frame is accessed below the stack pointer, or after moving it: allow both.
            constexpr std::uint64_t kNear = 16 << 20;
            const std::uint64_t stack = stack_pointer_of(child_);
            fault_ =
                Fault{signal, address, -1, stack != 0 && address + kNear > stack && address < stack + kNear};
            break;
        }
        case SIGFPE:
        case SIGILL:
        case SIGTRAP:
            fault_ = Fault{signal, 0, -1, false};
            break;
        case SIGSYS:
            fault_ = Fault{signal, 0, info.si_syscall, false};
            break;
        default:
            break;
    }
}

Trace::Event Trace::next_event(int how) noexcept {
    siginfo_t stop{};
    while (waitid(P_PID, static_cast<id_t>(child_), &stop, WSTOPPED | WEXITED | WNOWAIT | __WALL | how) != 0)
        if (errno != EINTR) return Event::none;
    if (stop.si_pid != child_) return Event::none;
    if (stop.si_code != CLD_TRAPPED && stop.si_code != CLD_STOPPED) {
        child_ = -1;  // Process::wait() collects its exit status
        return Event::ended;
    }
    waitid(P_PID, static_cast<id_t>(child_), &stop, WSTOPPED | WNOHANG | __WALL);
    constexpr int kSignals = 0xff;
    const int event = stop.si_status >> 8;
    if (event == PTRACE_EVENT_STOP && (how & WNOHANG) == 0) return Event::stopped;
    const int signal = event == 0 ? stop.si_status & kSignals : 0;
    if (signal != 0) record_fault(signal);
    ptrace(PTRACE_CONT, child_, nullptr, signal);
    return Event::signal;
}

void Trace::handle_stops() noexcept {
    while (active() && next_event(WNOHANG) == Event::signal) {
    }
}

bool Trace::stop() noexcept {
    if (!active() || ptrace(PTRACE_INTERRUPT, child_, nullptr, nullptr) != 0) return false;
    for (;;) {
        const Event next = next_event(0);
        if (next != Event::signal) return next == Event::stopped;
    }
}

void Trace::resume() const noexcept {
    if (active()) ptrace(PTRACE_CONT, child_, nullptr, nullptr);
}

std::optional<Fault> Trace::take_fault() {
    return std::exchange(fault_, std::nullopt);
}

bool can_trace() {
    const Dumpable open_until_it_ends(true);
    const pid_t child = fork();
    if (child < 0) return false;
    if (child == 0) {
        pause();
        _exit(0);
    }
    Trace trace;
    const bool can = trace.begin(child);
    kill(child, SIGKILL);
    waitpid(child, nullptr, __WALL);
    return can;
}

}  // namespace attn::worker
