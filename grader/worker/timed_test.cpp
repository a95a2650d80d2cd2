// Batches against the clock: what is counted, what comes back, who is not left running.

#include "grader/worker/timed.h"

#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "grader/testing/racing.h"
#include "grader/worker/launch.h"

namespace attn::worker {
namespace {

using proof::Racer;
using proof::softmax_of;

constexpr const char* kDoubled =
    "for (int i = 0; i < X.size(0); ++i) for (int j = 0; j < X.size(1); ++j) Y(i, j) = 2 * X(i, j);";
/// X(0, 0) says how long.
constexpr const char* kWorks = R"(
    volatile float sum = 0;
    for (int k = 0; k < X(0, 0); ++k) sum = sum + __builtin_sqrtf(static_cast<float>(k));
    Y(0, 0) = sum;)";

/// One call for each of these numbers, which X holds.
struct Calls {
    explicit Calls(const std::vector<float>& numbers) {
        for (const float number : numbers) {
            inputs.push_back(Array::zeros<float>("X", {1, 1}));
            inputs.back().view<float, 2>()(0, 0) = number;
        }
        for (const Array& X : inputs) calls.push_back({"softmax", {{"Y", {1, 1}}}, {{&X}}, {}});
    }
    Arrays inputs;
    std::vector<Call> calls;
};

double cpu_s(Worker& worker, float amount) {
    const Calls batch({amount, amount});
    const Batch came = worker.time(batch.calls);
    BOOST_REQUIRE_MESSAGE(came.call.outcome == Outcome::passed, came.call.detail);
    return came.cpu_s;
}

BOOST_AUTO_TEST_SUITE(timed)

BOOST_AUTO_TEST_CASE(each_call_of_a_full_batch_has_its_own_answer) {
    std::vector<float> numbers;
    for (int k = 0; k < kMostCalls; ++k) numbers.push_back(static_cast<float>(k) + 0.5F);
    const Calls batch(numbers);
    const Racer own(softmax_of(kDoubled));
    Worker worker = own.worker();
    for (int round = 0; round < 3; ++round) {
        const Batch came = worker.time(batch.calls);
        BOOST_REQUIRE_MESSAGE(came.call.outcome == Outcome::passed, came.call.detail);
        BOOST_REQUIRE(came.outputs.size() == numbers.size());
        for (std::size_t k = 0; k < numbers.size(); ++k)
            BOOST_TEST((came.outputs[k].at(0).view<float, 2>()(0, 0)) == 2 * numbers[k]);
    }
    const CallResult untimed = worker.call(batch.calls.front());
    BOOST_REQUIRE(untimed.outcome == Outcome::passed);
    BOOST_TEST((untimed.outputs.at(0).view<float, 2>()(0, 0)) == 1.0F);
}

BOOST_AUTO_TEST_CASE(four_times_the_work_takes_about_four_times_as_long) {
    const Racer own(softmax_of(kWorks));
    Worker worker = own.worker();
    cpu_s(worker, 1e5F);
    const double some_s = cpu_s(worker, 1e6F), more_s = cpu_s(worker, 4e6F);
    BOOST_TEST(more_s > 2 * some_s);
    BOOST_TEST(more_s < 8 * some_s);
}

BOOST_AUTO_TEST_CASE(a_rehearsal_calls_nothing_and_costs_little) {
    const Racer own(softmax_of(kWorks));
    Worker worker = own.worker();
    const Calls batch({4e6F, 4e6F});
    const Batch rehearsed = worker.time(batch.calls, {.rehearsed = true});
    BOOST_REQUIRE(rehearsed.call.outcome == Outcome::passed);
    BOOST_TEST(rehearsed.outputs.empty());
    BOOST_TEST(rehearsed.cpu_s > 0);
    BOOST_TEST(rehearsed.cpu_s < cpu_s(worker, 4e6F) / 10);
}

BOOST_AUTO_TEST_CASE(sleep_is_time_on_the_wall_only) {
    const Racer own(softmax_of("timespec time{0, 30'000'000}; nanosleep(&time, nullptr); Y(0, 0) = X(0, 0);",
                               "#include <time.h>"));
    Worker worker = own.worker();
    const Calls batch({1, 2});
    const Batch came = worker.time(batch.calls);
    BOOST_REQUIRE_MESSAGE(came.call.outcome == Outcome::passed, came.call.detail);
    BOOST_TEST(came.wall_s >= 0.06);
    BOOST_TEST(came.cpu_s < came.wall_s / 3);
}

BOOST_AUTO_TEST_CASE(a_crash_in_the_middle_is_told_and_the_next_batch_is_fresh) {
    const Racer own(softmax_of("Y(0, 0) = X(0, 0) == 2 ? *(volatile float*)0 : X(0, 0);"));
    Worker worker = own.worker();
    const Calls bad({1, 2, 3}), good({1, 3});
    const Batch crashed = worker.time(bad.calls);
    BOOST_TEST(name_of(crashed.call.outcome) == "crashed");
    BOOST_TEST(crashed.outputs.empty());
    const Batch came = worker.time(good.calls);
    BOOST_TEST(name_of(came.call.outcome) == "passed");
    BOOST_TEST(came.outputs.size() == 2);
}

BOOST_AUTO_TEST_CASE(writing_beside_an_output_is_seen_in_a_batch) {
    const Racer own(softmax_of("Y(0, 0) = 1; (&Y(0, 0))[1] = 1;"));
    Worker worker = own.worker();
    const Calls batch({1, 2});
    BOOST_TEST(name_of(worker.time(batch.calls).call.outcome) == "out_of_bounds");
}

BOOST_AUTO_TEST_CASE(threads_beyond_those_allowed_are_an_outcome) {
    const Racer own(
        softmax_of("static std::thread other([] { for (;;) sleep(1); }); other.detach(); Y(0, 0) = X(0, 0);",
                   "#include <thread>\n#include <unistd.h>"));
    const Calls batch({1});
    WorkerLimits limits;
    limits.process.processes = 0;
    Worker open = own.worker(limits, Layers().without(Layer::system_calls).without(Layer::limits));
    BOOST_TEST(name_of(open.time(batch.calls).call.outcome) == "too_many_threads");
    Worker held = own.worker();
    BOOST_TEST(name_of(held.time(batch.calls).call.outcome) != "passed");
}

BOOST_AUTO_TEST_CASE(without_ptrace_it_stands_still_all_the_same) {
    const Racer own(softmax_of(kDoubled));
    Worker worker = own.worker({}, Layers().without(Layer::trace));
    const Calls batch({3, 4});
    for (int round = 0; round < 3; ++round) {
        const Batch came = worker.time(batch.calls);
        BOOST_REQUIRE_MESSAGE(came.call.outcome == Outcome::passed, came.call.detail);
        BOOST_TEST((came.outputs.at(1).at(0).view<float, 2>()(0, 0)) == 8.0F);
    }
}

BOOST_AUTO_TEST_CASE(memory_that_a_call_holds_is_seen) {
    const Racer own(softmax_of(
        "std::vector<float> all(static_cast<std::size_t>(X(0, 0)) << 18, 1.0F); Y(0, 0) = all.back();",
        "#include <vector>"));
    Worker worker = own.worker();
    const Calls little({1}), much({32});  // MiB
    BOOST_REQUIRE(worker.time(little.calls).call.outcome == Outcome::passed);
    const std::size_t before = worker.peak_memory_kib();
    BOOST_REQUIRE(worker.time(much.calls).call.outcome == Outcome::passed);
    BOOST_TEST(worker.peak_memory_kib() > before + (25 << 10));
    BOOST_TEST(worker.peak_memory_kib() < before + (40 << 10));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::worker
