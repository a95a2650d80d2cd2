// The parent's side of the protocol against whatever a worker may send.

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

#include "grader/worker/call_outcome.h"
#include "grader/worker/file_descriptor.h"

namespace attn::worker {
namespace {

struct Line {
    Line() {
        std::array<int, 2> both{};
        BOOST_REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, both.data()) == 0);
        parent = FileDescriptor(both[0]);
        worker = FileDescriptor(both[1]);
    }
    void say(const void* bytes, std::size_t count) const {
        BOOST_REQUIRE(send(worker.get(), bytes, count, MSG_NOSIGNAL) == static_cast<ssize_t>(count));
    }
    Heard hear(std::uint32_t call) { return attn::worker::hear(parent.get(), call, reply); }
    FileDescriptor parent, worker;
    Reply reply;
};

Reply done(std::uint32_t call) {
    Reply reply;
    reply.call = call;
    reply.said = Said::done;
    return reply;
}

/// Y of a call, as it lay in the worker.
std::vector<Region> regions() {
    Layout layout(Placement::ends_at_guard, 1);
    return {layout.place("X", {2, 3}, ElementType::f32, 24, false),
            layout.place("Y", {2, 3}, ElementType::f32, 24, true)};
}

BOOST_AUTO_TEST_SUITE(channel)

BOOST_AUTO_TEST_CASE(a_whole_answer_to_the_call_is_heard) {
    Line line;
    BOOST_TEST((line.hear(7) == Heard::nothing));
    const Reply reply = done(7);
    line.say(&reply, sizeof reply);
    BOOST_TEST((line.hear(7) == Heard::reply));
    BOOST_TEST((line.hear(7) == Heard::nothing));
    line.worker.reset();
    BOOST_TEST((line.hear(7) == Heard::closed));
}

BOOST_AUTO_TEST_CASE(anything_else_is_nonsense) {
    Line line;
    Reply other_magic = done(7), ready = done(7), unknown = done(7);
    other_magic.magic ^= 1;
    ready.said = Said::ready;
    unknown.said = static_cast<Said>(99);
    const Reply earlier = done(6), later = done(8);
    for (const Reply& reply : {other_magic, ready, unknown, earlier, later}) {
        line.say(&reply, sizeof reply);
        BOOST_TEST((line.hear(7) == Heard::nonsense));
    }
    std::array<char, sizeof(Reply) + 1> longer{};
    const Reply right = done(7);
    std::memcpy(longer.data(), &right, sizeof right);
    for (const std::size_t bytes : {std::size_t{1}, sizeof right - 1, sizeof right + 1}) {
        line.say(longer.data(), bytes);
        BOOST_TEST((line.hear(7) == Heard::nonsense), bytes);
    }
    const Reply early = done(0);  // before it has said that it is ready
    line.say(&early, sizeof early);
    BOOST_TEST((line.hear(0) == Heard::nonsense));
}

/// A million messages: right ones with bytes changed, cut and lengthened, and noise. Each is refused or heard
/// as what it says; only "done" with this call's number is worth anything.
BOOST_AUTO_TEST_CASE(a_million_messages_forge_nothing) {
    constexpr int kMessages = 1'000'000;
    constexpr std::uint32_t kCall = 7;
    Line line;
    std::mt19937_64 random(2026);
    const auto below = [&random](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
    const auto where = regions();
    std::array<unsigned char, 2 * sizeof(Reply)> bytes{};
    int heard = 0, refused = 0, passed = 0;
    std::set<Outcome> outcomes;
    for (int k = 0; k < kMessages; ++k) {
        Reply reply = done(below(8) == 0 ? static_cast<std::uint32_t>(random()) : kCall);
        reply.said = static_cast<Said>(static_cast<int>(below(12)) - 1);
        reply.signal = static_cast<int>(below(70)) - 2;
        reply.address = below(3) == 0 ? random() : where[below(2)].address - 2 * kPage + below(5 * kPage);
        reply.on_stack = static_cast<int>(below(2));
        for (char& c : reply.text) c = static_cast<char>(random());
        std::memcpy(bytes.data(), &reply, sizeof reply);
        std::size_t count = sizeof reply;
        if (below(4) == 0) bytes[below(count)] ^= static_cast<unsigned char>(1U << below(8));
        if (below(16) == 0) count = 1 + below(bytes.size());
        std::memcpy(&reply, bytes.data(), sizeof reply);
        line.say(bytes.data(), count);
        const Heard result = line.hear(kCall);
        const bool right = count == sizeof reply && reply.magic == kMagic && reply.call == kCall &&
                           reply.said > Said::ready && reply.said <= Said::fault;
        if ((result == Heard::reply) != right || (result != Heard::reply && result != Heard::nonsense))
            BOOST_FAIL("message " << k << " is not judged by what it says");
        ++(right ? heard : refused);
        if (!right) continue;
        const CallResult told = outcome_of(line.reply, where, {});
        outcomes.insert(told.outcome);
        passed += told.outcome == Outcome::passed ? 1 : 0;
        if ((told.outcome == Outcome::passed) != (reply.said == Said::done))
            BOOST_FAIL("message " << k << " passes by another word than done");
        constexpr std::size_t kLongest = sizeof reply.text + 300;
        if (told.detail.size() > kLongest) BOOST_FAIL("message " << k << " makes a sentence without an end");
    }
    BOOST_TEST(heard > kMessages / 4);
    BOOST_TEST(refused > kMessages / 4);
    BOOST_TEST(passed > 0);
    BOOST_TEST(outcomes.size() >=
               7U);  // passed, missing, crashed, threw, forbidden, out of bounds or memory, ..
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::worker
