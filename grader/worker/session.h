#pragma once
/// A worker's process and the parent's end of the socket to it.

#include <optional>
#include <string>
#include <utility>

#include "grader/sandbox/call_decisions.h"
#include "grader/worker/launch.h"

namespace attn::worker {

struct Worker::Session {
    Session(const Command& command, FileDescriptor parents_end)
        : process(command), socket(std::move(parents_end)) {}
    Process process;
    FileDescriptor socket;
    std::string trace;                       ///< the last that a watched library sent
    std::optional<CallDecisions> decisions;  ///< once the worker has installed its filters
};

}  // namespace attn::worker
