#pragma once
/// ptrace: the kernel tells the parent which signal a child received, and at which address. A report by a
/// signal handler in the child could be forged.

#include <cstdint>
#include <optional>

#include <sys/types.h>

namespace attn::worker {

/// A signal that the kernel sent because of an instruction of the child.
struct Fault {
    int signal = 0;
    std::uint64_t address = 0;  ///< of the memory, for SIGSEGV and SIGBUS
    int system_call = -1;       ///< the number, for SIGSYS
    bool on_stack = false;  ///< whether the address is near the stack pointer, so that the stack overflowed
};

/// Traces one child. The child is killed when its parent ends. All functions have to be called by the thread
/// that called begin().
class Trace {
  public:
    /// Starts tracing; has to be called before the child enters its sandbox. False if tracing is not allowed.
    bool begin(pid_t child) noexcept;
    bool active() const { return child_ > 0; }

    /// Records faults, and continues the child if a signal has stopped it. Returns at once. (Without this
    /// call the child stays stopped.)
    void handle_stops() noexcept;

    /// Stops the child's first thread, and returns when it has stopped. False if the child has ended. Do not
    /// call handle_stops() again before resume().
    bool stop() noexcept;
    void resume() const noexcept;

    /// The first fault since the last call.
    std::optional<Fault> take_fault();

  private:
    enum class Event { none, signal, stopped, ended };
    Event next_event(int how) noexcept;
    void record_fault(int signal) noexcept;
    pid_t child_ = -1;
    std::optional<Fault> fault_;
};

/// Whether this machine allows a process to trace its child.
bool can_trace();

}  // namespace attn::worker
