#pragma once
/// Resets the emulated device, and begins a program that no other program hosts.

namespace attn::emulator {

/// Frees everything on the device and forgets its errors; findings stay.
void reset_device();

/// Prepares a program that no other program hosts: reads the seed and the time limit from the environment,
/// and registers the work at its end.
void begin_standalone();

/// Destroys all events, which belong to the device.
void clear_events();

}  // namespace attn::emulator
