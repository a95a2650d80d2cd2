#pragma once
/// Handles Ctrl-C and other interrupts by an exception, so that destructors end all processes and remove
/// temporary folders.

#include <exception>

namespace attn::worker {

class Interrupted : public std::exception {
  public:
    const char* what() const noexcept override { return "interrupted"; }
};

/// From now on SIGINT, SIGTERM and SIGHUP set a flag instead of ending the process.
void install_interrupt_handlers();

/// Throws Interrupted if one of these signals has arrived. Every loop that waits calls this at least every
/// kPollInterval_ms.
void throw_if_interrupted();

inline constexpr int kPollInterval_ms = 250;

}  // namespace attn::worker
