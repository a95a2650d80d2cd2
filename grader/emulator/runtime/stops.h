#pragma once
/// What ends a launch early beside a wrong access: the processor's signals about a kernel (a fault, a division by
/// zero), the timer's for a kernel that does not end, and failed assertions.

#include <cstdint>

namespace attn::emulator {

/// Starts or stops the watchdog's clock when a launch begins or ends.
void watch_launch(bool runs);

/// Starts the clock anew, because a thread has returned: a launch is endless only if none does.
void restart_clock();

/// True if no thread of the launch has returned for the time limit.
bool time_is_up();

/// When SIGTERM ends the program, the file of the findings gets a line that says how far the running kernel
/// has come.
void report_progress_when_terminated();

/// Ends the launch as endless. `pc`: where it was interrupted.
[[noreturn]] void report_endless(std::uintptr_t pc);

}  // namespace attn::emulator
