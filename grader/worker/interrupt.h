#pragma once
/// Ctrl-C and its relatives: the grader unwinds, so that no process and no temporary folder stays behind.

#include <exception>

namespace attn::worker {

class Interrupted : public std::exception {
  public:
    const char* what() const noexcept override { return "interrupted"; }
};

/// From here on SIGINT, SIGTERM and SIGHUP are remembered instead of ending the process at once.
void watch_interrupts();

/// Throws Interrupted if one of them came. Called by everything that waits, at least every kGlance_ms.
void throw_if_interrupted();

inline constexpr int kGlance_ms = 250;

}  // namespace attn::worker
