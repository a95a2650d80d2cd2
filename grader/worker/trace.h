#pragma once
/// ptrace: the parent learns from the kernel which signal hit a child and at which address. What a handler
/// inside the child says of it could be forged.

#include <cstdint>
#include <optional>

#include <sys/types.h>

namespace attn::worker {

/// A signal that the kernel sent because of what an instruction did.
struct Fault {
    int signal = 0;
    std::uint64_t address = 0;  ///< of the memory, for SIGSEGV and SIGBUS
    int system_call = -1;       ///< the number, for SIGSYS
    bool on_stack = false;      ///< the address lies where the stack would have grown
};

/// Follows one child, which dies with its parent. Everything is done by the thread that began it.
class Trace {
  public:
    /// Before the child gives up its rights. False where tracing is not allowed.
    bool begin(pid_t child) noexcept;
    bool active() const { return child_ > 0; }

    /// Lets the child go on wherever a signal has stopped it, and notes faults. Returns at once. (A child
    /// that is not attended to stays where it was stopped.)
    void attend() noexcept;

    /// Stops the child's first thread, and returns when it stands; false where it has ended. Then nothing is
    /// to be attended to until resume().
    bool stop() noexcept;
    void resume() noexcept;

    /// The first fault since it was last asked for.
    std::optional<Fault> take_fault();

  private:
    enum class Next { none, signal, stood_still, ended };
    Next look(int how) noexcept;
    void note(int signal) noexcept;
    pid_t child_ = -1;
    std::optional<Fault> fault_;
};

/// Whether a process may trace its child here.
bool can_trace();

}  // namespace attn::worker
