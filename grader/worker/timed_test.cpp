// Timed batches: which time is counted, which results are returned, and which workers are replaced.

#include "grader/worker/timed.h"

#include <array>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "grader/proof/busy_neighbours.h"
#include "grader/testing/softmax_submission.h"
#include "grader/worker/launch.h"

namespace attn::worker {
namespace {

BOOST_AUTO_TEST_SUITE(timed, *boost::unit_test::label("long"))

using proof::softmax_source;
using proof::SoftmaxSubmission;

constexpr const char* kDoubled =
    "for (int i = 0; i < X.size(0); ++i) for (int j = 0; j < X.size(1); ++j) Y(i, j) = 2 * X(i, j);";
/// A loop of X(0, 0) steps.
constexpr const char* kLoop = R"(
    volatile float sum = 0;
    for (int k = 0; k < X(0, 0); ++k) sum = sum + __builtin_sqrtf(static_cast<float>(k));
    Y(0, 0) = sum;)";

/// One call for each of these numbers; the number is X(0, 0).
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
    const Batch result = worker.time(batch.calls);
    BOOST_REQUIRE_MESSAGE(result.call.outcome == Outcome::passed, result.call.detail);
    return result.cpu_s;
}

BOOST_AUTO_TEST_CASE(each_call_of_a_full_batch_has_its_own_output) {
    std::vector<float> numbers;
    for (int k = 0; k < kMostCalls; ++k) numbers.push_back(static_cast<float>(k) + 0.5F);
    const Calls batch(numbers);
    const SoftmaxSubmission submission(softmax_source(kDoubled));
    Worker worker = submission.worker();
    for (int round = 0; round < 3; ++round) {
        const Batch result = worker.time(batch.calls);
        BOOST_REQUIRE_MESSAGE(result.call.outcome == Outcome::passed, result.call.detail);
        BOOST_REQUIRE(result.outputs.size() == numbers.size());
        for (std::size_t k = 0; k < numbers.size(); ++k)
            BOOST_TEST((result.outputs[k].at(0).view<float, 2>()(0, 0)) == 2 * numbers[k]);
    }
    const CallResult untimed = worker.call(batch.calls.front());
    BOOST_REQUIRE(untimed.outcome == Outcome::passed);
    BOOST_TEST((untimed.outputs.at(0).view<float, 2>()(0, 0)) == 1.0F);
}

BOOST_AUTO_TEST_CASE(four_times_the_work_takes_about_four_times_as_long) {
    const SoftmaxSubmission submission(softmax_source(kLoop));
    Worker worker = submission.worker();
    cpu_s(worker, 1e5F);
    const double some_s = cpu_s(worker, 1e6F), more_s = cpu_s(worker, 4e6F);
    BOOST_TEST(more_s > 2 * some_s);
    BOOST_TEST(more_s < 8 * some_s);
}

BOOST_AUTO_TEST_CASE(waiting_for_a_processor_does_not_count_towards_the_limit) {
    constexpr float kSome = 1e6F;
    constexpr double kRuns_s = 0.15;
    WorkerLimits limits;
    limits.time_s = 2 * kRuns_s;
    const SoftmaxSubmission submission(softmax_source(kLoop)),
        endless(softmax_source("for (volatile int k = 0; k >= 0;) k = 1;"));
    Worker worker = submission.worker(), limited = submission.worker(limits), ends = endless.worker(limits);
    cpu_s(worker, kSome);
    const Calls batch({kSome * static_cast<float>(2 * kRuns_s / cpu_s(worker, kSome))});
    const std::array<proof::BusyNeighbours, 4> neighbours;
    const Batch result = limited.time(batch.calls);
    BOOST_TEST(name_of(result.call.outcome) == "passed", result.call.detail);
    BOOST_TEST(result.wall_s > limits.time_s);  // otherwise nothing was tested
    BOOST_TEST(name_of(ends.time(batch.calls).call.outcome) == "timed_out");
}

BOOST_AUTO_TEST_CASE(a_rehearsal_calls_nothing_and_costs_little) {
    const SoftmaxSubmission submission(softmax_source(kLoop));
    Worker worker = submission.worker();
    const Calls batch({4e6F, 4e6F});
    const Batch rehearsed = worker.time(batch.calls, {.rehearsed = true});
    BOOST_REQUIRE(rehearsed.call.outcome == Outcome::passed);
    BOOST_TEST(rehearsed.outputs.empty());
    BOOST_TEST(rehearsed.cpu_s > 0);
    BOOST_TEST(rehearsed.cpu_s < cpu_s(worker, 4e6F) / 10);
}

BOOST_AUTO_TEST_CASE(sleep_is_wall_clock_time_only) {
    const SoftmaxSubmission submission(softmax_source(
        "timespec time{0, 30'000'000}; nanosleep(&time, nullptr); Y(0, 0) = X(0, 0);", "#include <time.h>"));
    Worker worker = submission.worker();
    const Calls batch({1, 2});
    const Batch result = worker.time(batch.calls);
    BOOST_REQUIRE_MESSAGE(result.call.outcome == Outcome::passed, result.call.detail);
    BOOST_TEST(result.wall_s >= 0.06);
    BOOST_TEST(result.cpu_s < result.wall_s / 3);
}

BOOST_AUTO_TEST_CASE(a_crash_is_reported_and_the_next_batch_has_a_new_worker) {
    const SoftmaxSubmission submission(
        softmax_source("Y(0, 0) = X(0, 0) == 2 ? *(volatile float*)0 : X(0, 0);"));
    Worker worker = submission.worker();
    const Calls bad({1, 2, 3}), good({1, 3});
    const Batch crashed = worker.time(bad.calls);
    BOOST_TEST(name_of(crashed.call.outcome) == "crashed");
    BOOST_TEST(crashed.outputs.empty());
    const Batch result = worker.time(good.calls);
    BOOST_TEST(name_of(result.call.outcome) == "passed");
    BOOST_TEST(result.outputs.size() == 2);
}

BOOST_AUTO_TEST_CASE(writing_outside_an_output_is_found_in_a_batch) {
    const SoftmaxSubmission submission(softmax_source("Y(0, 0) = 1; (&Y(0, 0))[1] = 1;"));
    Worker worker = submission.worker();
    const Calls batch({1, 2});
    BOOST_TEST(name_of(worker.time(batch.calls).call.outcome) == "out_of_bounds");
}

BOOST_AUTO_TEST_CASE(too_many_threads_are_reported) {
    const SoftmaxSubmission submission(softmax_source(
        "static std::thread other([] { for (;;) sleep(1); }); other.detach(); Y(0, 0) = X(0, 0);",
        "#include <thread>\n#include <unistd.h>"));
    const Calls batch({1});
    WorkerLimits limits;
    limits.process.processes = 0;
    Worker unconfined =
        submission.worker(limits, Layers().without(Layer::system_calls).without(Layer::limits));
    BOOST_TEST(name_of(unconfined.time(batch.calls).call.outcome) == "too_many_threads");
    Worker confined = submission.worker();
    BOOST_TEST(name_of(confined.time(batch.calls).call.outcome) != "passed");
}

BOOST_AUTO_TEST_CASE(without_ptrace_the_worker_is_stopped_too) {
    const SoftmaxSubmission submission(softmax_source(kDoubled));
    Worker worker = submission.worker({}, Layers().without(Layer::trace));
    const Calls batch({3, 4});
    for (int round = 0; round < 3; ++round) {
        const Batch result = worker.time(batch.calls);
        BOOST_REQUIRE_MESSAGE(result.call.outcome == Outcome::passed, result.call.detail);
        BOOST_TEST((result.outputs.at(1).at(0).view<float, 2>()(0, 0)) == 8.0F);
    }
}

BOOST_AUTO_TEST_CASE(memory_of_a_call_is_measured) {
    const SoftmaxSubmission submission(softmax_source(
        "std::vector<float> all(static_cast<std::size_t>(X(0, 0)) << 18, 1.0F); Y(0, 0) = all.back();",
        "#include <vector>"));
    Worker worker = submission.worker();
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
