#include "grader/worker/channel.h"

#include <cerrno>

#include <sys/socket.h>
#include <sys/types.h>

namespace attn::worker {
namespace {

bool is_answer_to(std::uint32_t call, ReplyKind kind) {
    switch (kind) {
        case ReplyKind::ready:
            return call == 0;
        case ReplyKind::load_failed:
        case ReplyKind::fault:
            return true;
        case ReplyKind::done:
        case ReplyKind::missing:
        case ReplyKind::threw:
        case ReplyKind::refused:
        case ReplyKind::index_error:
        case ReplyKind::kernel_error:
        case ReplyKind::heap_error:
        case ReplyKind::out_of_memory:
            return call != 0;
    }
    return false;  // not a value of the enumeration
}

}  // namespace

Received receive_message(int socket, std::uint32_t call, Reply& reply) {
    // With MSG_TRUNC, recv() returns the true length of a message that is too long.
    const ssize_t got = recv(socket, &reply, sizeof reply, MSG_DONTWAIT | MSG_TRUNC);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return Received::nothing;
    if (got <= 0) return Received::closed;
    reply.text[sizeof reply.text - 1] = '\0';
    const bool whole = got == static_cast<ssize_t>(sizeof reply);
    return whole && reply.magic == kMagic && reply.call == call && is_answer_to(call, reply.kind)
               ? Received::reply
               : Received::invalid;
}

}  // namespace attn::worker
