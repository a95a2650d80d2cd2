#pragma once
/// The parent's end of the socket to a worker. It checks every message, because a student's code can write to
/// the socket too.

#include <cstdint>

#include "grader/base/file_descriptor.h"
#include "grader/worker/protocol.h"

namespace attn::worker {

enum class Received {
    nothing,  ///< no message yet
    reply,    ///< a complete reply to this call, of a known kind
    invalid,  ///< anything else: the student's code wrote to the socket
    closed,
};

/// Receives one message, without waiting. `call`: the number of the call to be answered; 0 stands for the
/// start of the worker. `reply` is valid only after Received::reply. `passed`: the descriptor that came with
/// the message, if there was one.
Received receive_message(int socket, std::uint32_t call, Reply& reply, FileDescriptor& passed);

}  // namespace attn::worker
