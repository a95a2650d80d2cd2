// Measurements with a known result: all libraries run the same loops, some of them several times.

#include "grader/speed/measure_speed.h"

#include <cmath>
#include <string>

#include <boost/test/unit_test.hpp>

#include "grader/judge/fresh_inputs.h"
#include "grader/judge/in_process.h"
#include "grader/speed/scale.h"
#include "grader/speed/timed_library.h"
#include "grader/testing/softmax_submission.h"

namespace attn::speed {
namespace {

BOOST_AUTO_TEST_SUITE(measure_speed, *boost::unit_test::label("long"))

using proof::softmax_source;
using proof::SoftmaxSubmission;

/// A right softmax that does its work `times` times.
std::string repeated_work(int times) {
    return softmax_source("for (int again = 0; again < " + std::to_string(times) +
                          "; again++) honest(Y, X);");
}

/// The libraries for the plain loops and for the yardstick. Each is compiled once.
const SoftmaxSubmission& plain() {
    static const SoftmaxSubmission submission(repeated_work(2));
    return submission;
}
const SoftmaxSubmission& yardstick() {
    static const SoftmaxSubmission submission(repeated_work(1));
    return submission;
}

SpeedTask task_for(const SoftmaxSubmission& yours) {
    SpeedTask task;
    task.question = judge::normal_question("softmax", {{"N", 96}, {"D", 64}});
    task.budget_s = 3;
    task.yours = [&yours] { return yours.worker(); };
    task.plain = [] { return plain().worker(); };
    task.yardstick = [] { return yardstick().worker(); };
    return task;
}

std::string outcome(const report::Check& check) {
    return std::string(name_of(check.outcome));
}

BOOST_AUTO_TEST_CASE(the_same_loops_are_as_fast_as_themselves) {
    SpeedTask task = task_for(plain());
    task.scale.yardstick = 0.4;  // the student has half the yardstick's speed
    const report::Check check = judge_speed(task);
    BOOST_TEST(outcome(check) == "passed");
    BOOST_REQUIRE(check.speed.has_value());
    BOOST_TEST(check.speed->times_plain.value > 0.85);
    BOOST_TEST(check.speed->times_plain.value < 1.15);
    BOOST_TEST(check.speed->times_yardstick.value > 0.4);
    BOOST_TEST(check.speed->times_yardstick.value < 0.6);
    BOOST_TEST(check.speed->workers >= 1);
}

BOOST_AUTO_TEST_CASE(four_times_the_work_is_a_quarter_of_the_speed) {
    const SoftmaxSubmission slow(repeated_work(8));
    SpeedTask task = task_for(slow);
    task.scale.yardstick = 0.9;  // the yardstick has twice the plain loops' speed
    const report::Check check = judge_speed(task);
    BOOST_TEST(outcome(check) == "slow");
    BOOST_REQUIRE(check.speed.has_value());
    BOOST_TEST(check.speed->times_plain.value > 0.2);
    BOOST_TEST(check.speed->times_plain.value < 0.3);
    BOOST_TEST(check.speed->times_plain.low <= check.speed->times_plain.value);
    BOOST_TEST(check.speed->times_plain.high >= check.speed->times_plain.value);
    BOOST_TEST(check.speed->share > 0.2 * 0.2);  // proportional to the speed below the plain loops
    BOOST_TEST(check.speed->share < 0.2 * 0.32);
    BOOST_TEST(check.speed->yours_ms > 3 * check.speed->plain_ms);
}

BOOST_AUTO_TEST_CASE(a_wrong_answer_has_no_speed) {
    const SoftmaxSubmission zeros(softmax_source("for (int i = 0; i < Y.count(); i++) Y.data()[i] = 0;"));
    const SoftmaxSubmission nothing(softmax_source("if (X.size(0) == 0) Y(0, 0) = 0;"));
    const SoftmaxSubmission nan(
        softmax_source("for (int i = 0; i < Y.count(); i++) Y.data()[i] = __builtin_nanf(\"\");"));
    for (const SoftmaxSubmission* submission : {&zeros, &nothing, &nan}) {
        const report::Check check = judge_speed(task_for(*submission));
        BOOST_TEST(outcome(check) == "wrong");
        BOOST_TEST(!check.speed.has_value());
        BOOST_TEST(check.message.starts_with("In a timed call Y("));
    }
}

BOOST_AUTO_TEST_CASE(the_first_answer_of_each_process_is_compared_too) {
    const SoftmaxSubmission at_first(
        softmax_source("static int calls; honest(Y, X); if (++calls == 1) Y(0, 0) = 1;"));
    BOOST_TEST(outcome(judge_speed(task_for(at_first))) == "wrong");
}

BOOST_AUTO_TEST_CASE(right_answers_below_the_least_time_are_too_fast) {
    SpeedTask task = task_for(yardstick());
    task.gflop = 1000;
    task.peak_gflops = 1;
    const report::Check check = judge_speed(task);
    BOOST_TEST(outcome(check) == "too_fast");
    BOOST_TEST(!check.speed.has_value());
}

BOOST_AUTO_TEST_CASE(an_unsettled_share_counts_in_the_students_favour) {
    SpeedTask task = task_for(plain());
    task.scale = {{{0.9, 0}, {1.1, 1}}, 1};  // steep: 1 % of the speed is 5 % of the points
    task.budget_s = 0;
    const report::Check check = judge_speed(task);
    BOOST_REQUIRE(check.speed.has_value());
    BOOST_TEST(!check.speed->settled);
    BOOST_TEST(check.speed->workers >= 6);
    const double yardstick = check.speed->times_plain.value / check.speed->times_yardstick.value;
    BOOST_TEST(check.speed->share > share_of(task.scale, check.speed->times_plain.value, yardstick) - 0.02);
}

BOOST_AUTO_TEST_CASE(a_wrong_yardstick_is_a_fault_of_the_grader) {
    const SoftmaxSubmission zeros(softmax_source("for (int i = 0; i < Y.count(); i++) Y.data()[i] = 0;"));
    SpeedTask task = task_for(plain());
    task.yardstick = [&zeros] { return zeros.worker(); };
    BOOST_CHECK_THROW(judge_speed(task), std::runtime_error);
    const SoftmaxSubmission crash(softmax_source("__builtin_trap();"));
    task = task_for(plain());
    task.plain = [&crash] { return crash.worker(); };
    BOOST_CHECK_THROW(judge_speed(task), std::runtime_error);
}

/// Starts `first` for the first `times` times, and `then` afterwards.
Start at_first(const SoftmaxSubmission& first, int times, const SoftmaxSubmission& then) {
    return [&first, &then, times, started = 0]() mutable {
        return started++ < times ? first.worker({.time_s = 0.2}) : then.worker();
    };
}

BOOST_AUTO_TEST_CASE(one_timeout_is_tolerated_and_two_are_not) {
    const SoftmaxSubmission stalls(softmax_source("for (volatile int k = 0;; k = 1) {}"));
    SpeedTask task = task_for(plain());
    task.budget_s = 0;
    task.yours = at_first(stalls, 1, plain());
    BOOST_TEST(judge_speed(task).speed.has_value());
    task.yours = at_first(stalls, 2, plain());
    BOOST_TEST(outcome(judge_speed(task)) == "timed_out");
    task = task_for(plain());
    task.budget_s = 0;
    task.yardstick = at_first(stalls, 1, yardstick());
    BOOST_TEST(judge_speed(task).speed.has_value());
    task.yardstick = at_first(stalls, 2, yardstick());
    BOOST_CHECK_THROW(judge_speed(task), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_batch_is_long_enough_to_time_but_not_too_large_to_fill) {
    const auto calls_at = [](int N, int D) {
        const judge::Question question = judge::normal_question("softmax", {{"N", N}, {"D", D}});
        const Start start = [] { return yardstick().worker(); };
        TimedLibrary runner(question, start);
        judge::FreshInputs fresh(question);
        BOOST_REQUIRE(runner.restart(fresh.next()).call.outcome == Outcome::passed);
        return runner.calls();
    };
    BOOST_TEST(calls_at(2, 2) == worker::kMostCalls);
    BOOST_TEST(calls_at(1024, 1024) == 1);
}

BOOST_AUTO_TEST_CASE(inputs_differ_in_every_call_and_stay_of_the_same_kind) {
    const judge::Question question = judge::normal_question("softmax", {{"N", 3}, {"D", 50}});
    judge::FreshInputs fresh(question);
    std::vector<Arrays> all;
    for (int k = 0; k < 12; ++k) all.push_back(fresh.next());
    double squares = 0;
    for (std::size_t a = 0; a < all.size(); ++a) {
        for (const float x : all[a].at(0).as<float>()) squares += double{x} * double{x};
        for (std::size_t b = 0; b < a; ++b) {
            int same = 0;
            for (std::size_t k = 0; k < all[a][0].count(); ++k)
                same += all[a][0].as<float>()[k] == all[b][0].as<float>()[k] ? 1 : 0;
            BOOST_TEST(same <= 2);
        }
    }
    BOOST_TEST(std::abs(squares / (12 * 150) - 1) < 0.25);  // still normal numbers
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::speed
