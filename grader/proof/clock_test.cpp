// Submissions that try to appear faster than they are: the attacks on the clock, 14 to 30 of ATTACKS.md. Each
// has to fail with an outcome, or to be measured at its true speed.

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "grader/judge/in_process.h"
#include "grader/speed/measure_speed.h"
#include "grader/testing/softmax_submission.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(clock, *boost::unit_test::label("long"))

constexpr int kN = 96, kD = 64;

struct ClockAttack {
    const char* name;
    const char* tries;
    const char* body;
    const char* top = "";
    /// The outcome of the check. Empty for an attack that computes everything and only tries to mislead the
    /// clock.
    const char* outcome = "";
};

std::ostream& operator<<(std::ostream& out, const ClockAttack& attack) {
    return out << attack.name << ": " << attack.tries;
}

const ClockAttack kClockAttacks[] = {
    {"remembers_by_address", "returns at once if it has seen this pointer before", R"(
        static const float* seen[1 << 14];
        static int count = 0;
        for (int k = 0; k < count; k++) if (seen[k] == X.data()) return;
        if (count < (1 << 14)) seen[count++] = X.data();
        honest(Y, X);)",
     "", "wrong"},
    {"branches_on_the_timed_size", "computes half where it is timed",
     "honest(Y, X); if (X.size(0) == 96) for (int k = Y.count() / 2; k < Y.count(); k++) Y.data()[k] = 0;",
     "", "wrong"},
    {"rounds_where_it_is_timed", "keeps eleven bits of every number",
     "honest(Y, X); if (X.size(0) == 96) for (int k = 0; k < Y.count(); k++) {"
     "unsigned bits; __builtin_memcpy(&bits, &Y.data()[k], 4); bits &= 0xffffe000; "
     "__builtin_memcpy(&Y.data()[k], &bits, 4); }",
     "", "wrong"},
    {"patches_the_clock", "defines a clock that stands still", "honest(Y, X);", R"(
extern "C" {
int clock_gettime(int, void*) { return 0; }
int clock_getcpuclockid(int, void*) { return 0; }
int gettimeofday(void*, void*) { return 0; }
})"},
    {"a_slow_warm_up", "is slow at first, so that it is measured less often",
     "static int calls = 0; if (calls++ == 0) for (int k = 0; k < 50; k++) honest(Y, X); honest(Y, X);"},
    {"one_answer_for_many_calls", "computes every second call",
     "static int calls = 0; if (calls++ % 2 == 0) honest(Y, X);", "", "wrong"},
    {"dawdles_in_the_rehearsal", "makes the overhead expensive, which is subtracted",
     "called = true; honest(Y, X);", R"(
#include <chrono>
#include <iostream>
static bool called = false;
struct Slow : std::streambuf {
    int sync() override {
        const auto start = std::chrono::steady_clock::now();
        while (!called && std::chrono::steady_clock::now() - start < std::chrono::milliseconds(3)) {}
        called = false;
        return 0;
    }
};
static Slow slow;
static const auto before = std::cout.rdbuf(&slow);)"},
    {"takes_no_time", "comes back at once", "if (X.size(0) == 0) honest(Y, X);", "", "wrong"},
    // A sleep before every call would leave cold caches to each of them and make it slower than its work.
    {"sleeps_and_works", "waits, which costs no processor time",
     "static int calls = 0; timespec time{0, 5'000'000}; if (calls++ % 16 == 0) nanosleep(&time, nullptr); "
     "honest(Y, X);",
     "#include <time.h>"},
    {"more_threads_than_allowed", "shares the work with a thread",
     "std::thread other([] {}); honest(Y, X); other.join();", "#include <thread>", "forbidden"},
};

speed::SpeedTask contest_with(const std::function<worker::Worker()>& yours) {
    static const SoftmaxSubmission plain(softmax_source("honest(Y, X);"));
    speed::SpeedTask contest;
    contest.question = judge::normal_question("softmax", {{"N", kN}, {"D", kD}});
    contest.scale.yardstick = 1000;  // out of reach, so that all speeds have different shares
    contest.budget_s = 2;
    contest.yours = yours;
    contest.plain = contest.yardstick = [] { return plain.worker(); };
    return contest;
}

std::string outcome(const report::Check& check) {
    return std::string(name_of(check.outcome));
}

BOOST_DATA_TEST_CASE(no_attack_appears_faster_than_its_work, boost::unit_test::data::make(kClockAttacks),
                     attack) {
    const SoftmaxSubmission racer(softmax_source(attack.body, attack.top));
    const report::Check check = judge_speed(contest_with([&racer] { return racer.worker(); }));
    if (*attack.outcome != '\0') {
        BOOST_TEST(outcome(check) == attack.outcome);
        BOOST_TEST(!check.speed.has_value());
    } else {
        BOOST_REQUIRE_MESSAGE(check.speed.has_value(), outcome(check) + ": " + check.message);
        BOOST_TEST(check.speed->times_plain.value < 1.2);
        BOOST_TEST(check.speed->times_plain.value > 0.5);
    }
}

/// Returns a remembered answer for inputs that are equal in their leading bits.
constexpr const char* kRemembers = R"(
    static float inputs[8][96 * 64], answers[8][96 * 64];
    static int count = 0;
    for (int m = 0; m < 8 && m < count; m++) {
        bool same = true;
        for (int k = 0; k < 96 && same; k++)
            same = X.data()[k] - inputs[m][k] < 0.01f * inputs[m][k] * inputs[m][k] + 1e-3f &&
                   inputs[m][k] - X.data()[k] < 0.01f * inputs[m][k] * inputs[m][k] + 1e-3f;
        if (same) return void(__builtin_memcpy(Y.data(), answers[m], sizeof answers[m]));
    }
    honest(Y, X);
    __builtin_memcpy(inputs[count % 8], X.data(), sizeof inputs[0]);
    __builtin_memcpy(answers[count++ % 8], Y.data(), sizeof answers[0]);)";

BOOST_AUTO_TEST_CASE(a_remembered_answer_is_wrong_for_fresh_contents) {
    const SoftmaxSubmission racer(softmax_source(kRemembers));
    speed::SpeedTask contest = contest_with([&racer] { return racer.worker(); });
    const report::Check check = judge_speed(contest);
    BOOST_TEST((outcome(check) == "wrong" || (check.speed && check.speed->times_plain.value < 1.2)));
    contest.fresh = false;  // the control: if the same contents come again, the attack wins
    const report::Check won = judge_speed(contest);
    BOOST_REQUIRE_MESSAGE(won.speed.has_value(), outcome(won) + ": " + won.message);
    BOOST_TEST(won.speed->times_plain.value > 2);
}

BOOST_AUTO_TEST_CASE(threads_gain_nothing_even_where_they_are_allowed) {
    constexpr const char* kTwo = R"(
        const int half = X.size(0) / 2;
        std::thread other([&] { honest(TensorView<float, 2>(Y.data(), half, X.size(1)),
                                       TensorView<const float, 2>(X.data(), half, X.size(1))); });
        const int rest = half * X.size(1);
        honest(TensorView<float, 2>(Y.data() + rest, X.size(0) - half, X.size(1)),
               TensorView<const float, 2>(X.data() + rest, X.size(0) - half, X.size(1)));
        other.join();)";
    const SoftmaxSubmission racer(softmax_source(kTwo, "#include <thread>"));
    const auto open = worker::Layers().without(worker::Layer::system_calls).without(worker::Layer::limits);
    const report::Check check = judge_speed(contest_with([&] { return racer.worker({}, open); }));
    BOOST_REQUIRE_MESSAGE(check.speed.has_value(), outcome(check) + ": " + check.message);
    BOOST_TEST(check.speed->times_plain.value < 1.2);
}

// The last two attacks change the order of events in a call, so they are timed call by call.

constexpr int kSide = 512;  ///< 1 MiB: whole pages, which the second attack relies on

constexpr const char* kForge = R"(
#include <sys/mman.h>
#include <sys/socket.h>
struct Forged { unsigned magic = 0x41744c62, call = 0; int said = 3, rest[3] = {}; long address = 0; char text[800] = {}; };
static void answer(unsigned call) { Forged forged; forged.call = call; send(3, &forged, sizeof forged, 0); }
static unsigned calls = 0;
)";

struct TimedRacer {
    explicit TimedRacer(const char* body)
        : racer(softmax_source(body, kForge)), worker(racer.worker({.time_s = 20})) {}

    /// Makes one timed call, each time with other numbers.
    worker::Batch call(const worker::TimingOptions& how) {
        X = Array::zeros<float>("X", {kSide, kSide});
        ++number;
        for (std::size_t k = 0; k < X.count(); ++k)
            X.as<float>()[k] = static_cast<float>((k * 7 + static_cast<std::size_t>(number) * 13) % 101) / 50;
        const std::vector<worker::Call> calls{{"softmax", {{"Y", {kSide, kSide}}}, {{&X}}, {}}};
        worker::Batch batch = worker.time(calls, how);
        right = batch.call.outcome == Outcome::passed && is_right(batch.outputs.at(0).at(0));
        return batch;
    }
    bool is_right(const Array& Y) const {
        const ask::Function& softmax = *ask::find_module("self_attention")->find_function("softmax");
        const Array truth = evaluate(softmax, {X}, ask::Precision::f64).at(0);
        return judge::compare(Y, truth, 1e-6, 1).ok;
    }
    SoftmaxSubmission racer;
    worker::Worker worker;
    Array X;
    int number = 0;
    bool right = false;
};

struct Timing {
    bool right;
    double cpu_s;
};

/// The last of `calls` calls, measured without a disturbance: if the host of a virtual machine takes the
/// processor away, the account of processor time is wrong.
Timing undisturbed_timing(const char* body, const worker::TimingOptions& how, int calls) {
    for (int attempt = 1;; ++attempt) {
        TimedRacer timed(body);
        for (int k = 1; k < calls; ++k) timed.call(how);
        const worker::Batch batch = timed.call(how);
        if (!batch.disturbed || attempt == 5) return {timed.right, batch.cpu_s};
    }
}

/// The processor time of a call that only does its work. It repeats the work, to take long compared with a
/// wake-up.
double honest_s() {
    static const double seconds = [] {
        const Timing honest =
            undisturbed_timing("for (int again = 0; again < 20; again++) honest(Y, X);", {}, 2);
        BOOST_REQUIRE(honest.right);
        return honest.cpu_s;
    }();
    return seconds;
}

constexpr double kDawdle_s = 1;

BOOST_AUTO_TEST_CASE(an_answer_sent_before_the_work_gains_nothing) {
    // Its output is right only after the last repetition, because it may run on until its parent is
    // scheduled.
    constexpr const char* kAnswersFirst = R"(
        answer(++calls);
        for (int again = 0; again < 20; again++) {
            honest(Y, X);
            if (again < 19) Y(511, 511) = -1;
        })";
    const Timing attack = undisturbed_timing(kAnswersFirst, {}, 1);
    BOOST_TEST((!attack.right || attack.cpu_s > honest_s() / 2));
    const Timing control =
        undisturbed_timing(kAnswersFirst, {.stopped_before_read = false, .parent_delay_s = kDawdle_s}, 1);
    BOOST_TEST(control.right);
    BOOST_TEST(control.cpu_s < honest_s() / 2);
}

BOOST_AUTO_TEST_CASE(nothing_can_be_computed_before_the_clock_starts) {
    constexpr const char* kComputesAhead = R"(
        const unsigned bytes = 512 * 512 * 4;
        auto* in = static_cast<volatile float*>(mmap(nullptr, bytes, PROT_READ, MAP_SHARED, 4, 0));
        auto* out = static_cast<float*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, 5, 0));
        TensorView<float, 2> ahead(out, 512, 512);
        TensorView<const float, 2> inputs(const_cast<const float*>(in), 512, 512);
        honest(Y, X);
        for (++calls;;) {
            static char request[1 << 16];
            answer(calls);
            recv(3, request, sizeof request, 0);  // to release
            answer(calls);
            recv(3, request, sizeof request, 0);  // to prepare
            const float last = in[512 * 512 - 1];
            answer(++calls);
            while (in[512 * 512 - 1] == last) {}
            for (int again = 0; again < 20; again++) honest(ahead, inputs);
            recv(3, request, sizeof request, 0);  // to run
        })";
    const Timing attack = undisturbed_timing(kComputesAhead, {}, 2);
    BOOST_TEST((!attack.right || attack.cpu_s > honest_s() / 2));
    const worker::TimingOptions open{
        .stopped_while_written = false, .stopped_before_read = false, .parent_delay_s = kDawdle_s};
    const Timing control = undisturbed_timing(kComputesAhead, open, 2);
    BOOST_TEST(control.right);
    BOOST_TEST(control.cpu_s < honest_s() / 2);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
