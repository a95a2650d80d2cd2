#include "grader/worker/channel.h"

#include <cerrno>

#include <sys/socket.h>
#include <sys/types.h>

namespace attn::worker {
namespace {

bool is_answer_to(std::uint32_t call, Said said) {
    switch (said) {
        case Said::ready:
            return call == 0;
        case Said::load_failed:
        case Said::fault:
            return true;
        case Said::done:
        case Said::missing:
        case Said::threw:
        case Said::refused:
        case Said::index_error:
        case Said::kernel_error:
        case Said::out_of_memory:
            return call != 0;
    }
    return false;  // no value of the enumeration
}

}  // namespace

Heard hear(int socket, std::uint32_t call, Reply& reply) {
    // MSG_TRUNC: the true length of a message that is too long.
    const ssize_t got = recv(socket, &reply, sizeof reply, MSG_DONTWAIT | MSG_TRUNC);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return Heard::nothing;
    if (got <= 0) return Heard::closed;
    reply.text[sizeof reply.text - 1] = '\0';
    const bool whole = got == static_cast<ssize_t>(sizeof reply);
    return whole && reply.magic == kMagic && reply.call == call && is_answer_to(call, reply.said)
               ? Heard::reply
               : Heard::nonsense;
}

}  // namespace attn::worker
