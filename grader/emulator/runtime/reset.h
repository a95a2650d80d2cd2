#pragma once
/// The device as at the beginning of the program.

namespace attn::emulator {

/// Frees everything on the device and forgets its errors; findings stay.
void reset_device();

/// Events belong to the device, too.
void clear_events();

}  // namespace attn::emulator
