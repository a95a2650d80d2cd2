#pragma once
/// A worker's process and the parent's end of the socket to it.

#include <utility>

#include "grader/worker/launch.h"

namespace attn::worker {

struct Worker::Session {
    Session(const Command& command, FileDescriptor parents_end)
        : process(command), socket(std::move(parents_end)) {}
    Process process;
    FileDescriptor socket;
};

}  // namespace attn::worker
