#pragma once
/// Signals: the processor's about a kernel (a fault, a division by zero), and the timer's for a kernel that
/// does not end.

#include <cstdint>

namespace attn::emulator {

/// Starts or stops the watchdog's clock when a launch begins or ends.
void watch_launch(bool runs);

/// True if the launch has used up its time.
bool time_is_up();

/// Ends the launch as endless. `pc`: where it was interrupted.
[[noreturn]] void report_endless(std::uintptr_t pc);

}  // namespace attn::emulator
