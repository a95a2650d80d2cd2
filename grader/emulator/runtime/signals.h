#pragma once
/// What the processor tells of a kernel (a fault, a division by zero) and what the clock tells (it does not
/// end).

#include <cstdint>

namespace attn::emulator {

/// A launch begins or ends: the watchdog counts its time.
void watch_launch(bool runs);

/// True when the time of the launch is up.
bool time_is_up();

/// Ends the launch: it is endless, `pc` being where it was seen.
[[noreturn]] void report_endless(std::uintptr_t pc);

}  // namespace attn::emulator
