#pragma once
/// The program on the device: its start, its reset, and what the course's contracts ask of it.

#include <string>

#include "driver_types.h"

namespace attn::emulator {

/// Frees everything on the device and forgets its errors; findings stay.
void reset_device();

/// Prepares a program that no other program hosts: reads the seed and the time limit from the environment,
/// and registers the work at its end.
void begin_standalone();

/// Notes a finding if the running call has to queue its work on another stream than `stream`. `work`: "The
/// launch of softmax in a.cu:12"; `write`: what to write instead.
void check_stream(const std::string& work, cudaStream_t stream, const std::string& write);

/// Whether the grader judges the outputs of the present call: watch_output() was called since begin().
bool is_graded();

/// Exists while the device writes memory: during a launch, a copy within the device, a memset.
class DeviceWrite {
  public:
    DeviceWrite();
    ~DeviceWrite();
    DeviceWrite(const DeviceWrite&) = delete;
    DeviceWrite& operator=(const DeviceWrite&) = delete;
};

}  // namespace attn::emulator
