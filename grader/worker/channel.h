#pragma once
/// The parent's end of the socket: what it takes for an answer, and what not.

#include <cstdint>

#include "grader/worker/protocol.h"

namespace attn::worker {

enum class Heard {
    nothing,   ///< no message yet
    reply,     ///< an answer to this call, complete and of a known kind
    nonsense,  ///< anything else: the code that is judged has written there
    closed,
};

/// Takes one message, without waiting. `call`: the one that is to be answered; 0 is the start of the worker.
/// `reply` is whole only after Heard::reply.
Heard hear(int socket, std::uint32_t call, Reply& reply);

}  // namespace attn::worker
