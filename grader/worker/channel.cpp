#include "grader/worker/channel.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

namespace attn::worker {
namespace {

bool is_answer_to(std::uint32_t call, ReplyKind kind) {
    switch (kind) {
        case ReplyKind::filtered:
        case ReplyKind::ready:
            return call == 0;
        case ReplyKind::load_failed:
        case ReplyKind::fault:
        case ReplyKind::trace:
            return true;
        case ReplyKind::done:
        case ReplyKind::missing:
        case ReplyKind::threw:
        case ReplyKind::refused:
        case ReplyKind::index_error:
        case ReplyKind::heap_error:
        case ReplyKind::finding:
        case ReplyKind::out_of_memory:
            return call != 0;
    }
    return false;  // not a value of the enumeration
}

}  // namespace

Received receive_message(int socket, std::uint32_t call, Reply& reply, FileDescriptor& passed) {
    iovec text{&reply, sizeof reply};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr message{};
    message.msg_iov = &text;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    // With MSG_TRUNC, recvmsg() returns the true length of a message that is too long. The kernel closes
    // descriptors for which there is no room.
    const ssize_t got = recvmsg(socket, &message, MSG_DONTWAIT | MSG_TRUNC | MSG_CMSG_CLOEXEC);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return Received::nothing;
    if (const cmsghdr* header = CMSG_FIRSTHDR(&message);
        got >= 0 && header != nullptr && header->cmsg_level == SOL_SOCKET &&
        header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof(int))) {
        int descriptor = -1;
        std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
        passed = FileDescriptor(descriptor);
    }
    if (got <= 0) return Received::closed;
    reply.text[sizeof reply.text - 1] = '\0';
    const bool whole = got == static_cast<ssize_t>(sizeof reply);
    return whole && reply.magic == kMagic && reply.call == call && is_answer_to(call, reply.kind)
               ? Received::reply
               : Received::invalid;
}

}  // namespace attn::worker
