#pragma once
/// Handles Ctrl-C and other interrupts by an exception, so that destructors end all processes and remove
/// temporary folders.

#include <exception>

namespace attn::worker {

class Interrupted : public std::exception {
  public:
    const char* what() const noexcept override { return "interrupted"; }
};

/// From now on SIGINT, SIGTERM and SIGHUP set a flag instead of ending the process. If the process still runs
/// kGraceTime_s seconds later, or if a second signal arrives, it ends where it is with exit code 130. (Then
/// the next start removes its temporary folders.)
void install_interrupt_handlers();

/// Throws Interrupted if one of these signals has arrived. Every loop that waits calls this at least every
/// kPollInterval_ms.
void throw_if_interrupted();

inline constexpr int kPollInterval_ms = 250;
inline constexpr unsigned kGraceTime_s = 2;

}  // namespace attn::worker
