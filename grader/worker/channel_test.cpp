// The parent's side of the protocol, tested with any bytes that a worker may send.

#include "grader/worker/channel.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <random>
#include <set>

#include <boost/test/unit_test.hpp>
#include <sys/socket.h>
#include <unistd.h>

#include "grader/base/file_descriptor.h"
#include "grader/worker/call_outcome.h"

namespace attn::worker {
namespace {

BOOST_AUTO_TEST_SUITE(channel)

/// A socket pair with a parent's end and a worker's end.
struct Connection {
    Connection() {
        std::array<int, 2> both{};
        BOOST_REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, both.data()) == 0);
        parent = FileDescriptor(both[0]);
        worker = FileDescriptor(both[1]);
    }
    void send_as_worker(const void* bytes, std::size_t count) const {
        BOOST_REQUIRE(send(worker.get(), bytes, count, MSG_NOSIGNAL) == static_cast<ssize_t>(count));
    }
    Received receive(std::uint32_t call) { return receive_message(parent.get(), call, reply, passed); }
    FileDescriptor parent, worker, passed;
    Reply reply;
};

Reply done(std::uint32_t call) {
    Reply reply;
    reply.call = call;
    reply.kind = ReplyKind::done;
    return reply;
}

/// The arrays X and Y of a call, as they are in the worker.
std::vector<Region> regions() {
    Layout layout(Placement::ends_at_guard, 1);
    return {layout.place("X", {2, 3}, ElementType::f32, 24, false),
            layout.place("Y", {2, 3}, ElementType::f32, 24, true)};
}

BOOST_AUTO_TEST_CASE(a_complete_reply_to_the_call_is_received) {
    Connection connection;
    BOOST_TEST((connection.receive(7) == Received::nothing));
    const Reply reply = done(7);
    connection.send_as_worker(&reply, sizeof reply);
    BOOST_TEST((connection.receive(7) == Received::reply));
    BOOST_TEST((connection.receive(7) == Received::nothing));
    connection.worker.reset();
    BOOST_TEST((connection.receive(7) == Received::closed));
}

BOOST_AUTO_TEST_CASE(any_other_message_is_invalid) {
    Connection connection;
    Reply other_magic = done(7), ready = done(7), unknown = done(7);
    other_magic.magic ^= 1;
    ready.kind = ReplyKind::ready;
    unknown.kind = static_cast<ReplyKind>(99);
    const Reply earlier = done(6), later = done(8);
    for (const Reply& reply : {other_magic, ready, unknown, earlier, later}) {
        connection.send_as_worker(&reply, sizeof reply);
        BOOST_TEST((connection.receive(7) == Received::invalid));
    }
    std::array<char, sizeof(Reply) + 1> longer{};
    const Reply right = done(7);
    std::memcpy(longer.data(), &right, sizeof right);
    for (const std::size_t bytes : {std::size_t{1}, sizeof right - 1, sizeof right + 1}) {
        connection.send_as_worker(longer.data(), bytes);
        BOOST_TEST((connection.receive(7) == Received::invalid), bytes);
    }
    const Reply early = done(0);  // sent before the message `ready`
    connection.send_as_worker(&early, sizeof early);
    BOOST_TEST((connection.receive(0) == Received::invalid));
}

/// A quarter of a million messages: valid ones, and valid ones that were changed, truncated or lengthened. Each is either
/// refused or received as its bytes say, and only `done` with the number of this call makes a call pass.
BOOST_AUTO_TEST_CASE(a_quarter_of_a_million_messages_forge_nothing) {
    constexpr int kMessages = 250'000;
    constexpr std::uint32_t kCall = 7;
    Connection connection;
    std::mt19937_64 random(2026);
    const auto below = [&random](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
    const auto where = regions();
    std::array<unsigned char, 2 * sizeof(Reply)> bytes{};
    int received = 0, refused = 0, passed = 0;
    std::set<Outcome> outcomes;
    for (int k = 0; k < kMessages; ++k) {
        Reply reply = done(below(8) == 0 ? static_cast<std::uint32_t>(random()) : kCall);
        reply.kind = static_cast<ReplyKind>(static_cast<int>(below(14)) - 1);
        reply.signal = static_cast<int>(below(70)) - 2;
        reply.address = below(3) == 0 ? random() : where[below(2)].address - 2 * kPage + below(5 * kPage);
        reply.on_stack = static_cast<int>(below(2));
        for (char& c : reply.text) c = static_cast<char>(random());
        std::memcpy(bytes.data(), &reply, sizeof reply);
        std::size_t count = sizeof reply;
        if (below(4) == 0) bytes[below(count)] ^= static_cast<unsigned char>(1U << below(8));
        if (below(16) == 0) count = 1 + below(bytes.size());
        std::memcpy(&reply, bytes.data(), sizeof reply);
        connection.send_as_worker(bytes.data(), count);
        const Received result = connection.receive(kCall);
        const bool right = count == sizeof reply && reply.magic == kMagic && reply.call == kCall &&
                           reply.kind > ReplyKind::ready && reply.kind <= ReplyKind::fault;
        if ((result == Received::reply) != right ||
            (result != Received::reply && result != Received::invalid))
            BOOST_FAIL("message " << k << " is not received as its bytes say");
        ++(right ? received : refused);
        if (!right) continue;
        const CallResult judged = outcome_of(connection.reply, where, {});
        outcomes.insert(judged.outcome);
        passed += judged.outcome == Outcome::passed ? 1 : 0;
        if ((judged.outcome == Outcome::passed) != (reply.kind == ReplyKind::done))
            BOOST_FAIL("message " << k << " passes with another kind than done");
        constexpr std::size_t kLongest = sizeof reply.text + 300;
        if (judged.detail.size() > kLongest)
            BOOST_FAIL("message " << k << " makes a sentence that is too long");
    }
    BOOST_TEST(received > kMessages / 4);
    BOOST_TEST(refused > kMessages / 4);
    BOOST_TEST(passed > 0);
    BOOST_TEST(outcomes.size() >= 7U);  // passed, missing, crashed, threw, forbidden and others
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::worker
