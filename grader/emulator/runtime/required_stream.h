#pragma once
/// The contracts of the course's kernels: a function queues its work on the stream that it was given.

#include <string>

#include "driver_types.h"

namespace attn::emulator {

/// Notes a finding if the running call has to queue its work on another stream than `stream`. `work`: "The
/// launch of softmax in a.cu:12"; `write`: what to write instead.
void check_stream(const std::string& work, cudaStream_t stream, const std::string& write);

}  // namespace attn::emulator
