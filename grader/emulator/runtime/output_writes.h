#pragma once
/// Which bytes of a call's outputs the device has written, found by comparing the contents before and after
/// each launch and copy. attn_emulator.h has the interface for the host of the emulator.

namespace attn::emulator {

/// Exists while the device writes memory: during a launch, a copy within the device, a memset.
class DeviceWrite {
  public:
    DeviceWrite();
    ~DeviceWrite();
    DeviceWrite(const DeviceWrite&) = delete;
    DeviceWrite& operator=(const DeviceWrite&) = delete;
};

}  // namespace attn::emulator
