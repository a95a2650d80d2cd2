#pragma once
/// The device as at the beginning of the program.

namespace attn::emulator {

/// Frees everything on the device and forgets its errors; findings stay.
void reset_device();

/// What a program that nobody hosts needs: the seed and the limit from its environment, and an end.
void begin_alone();

/// Events belong to the device, too.
void clear_events();

}  // namespace attn::emulator
