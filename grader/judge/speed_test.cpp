// A task whose result is known: everybody runs the same loops, some of them twice.

#include "grader/judge/speed.h"

#include <cmath>
#include <string>

#include <boost/test/unit_test.hpp>

#include "grader/judge/fresh.h"
#include "grader/judge/in_process.h"
#include "grader/judge/runner.h"
#include "grader/testing/softmax_submission.h"

namespace attn::judge {
namespace {

using proof::softmax_source;
using proof::SoftmaxSubmission;

/// Right, `times` times in a row.
std::string honest(int times) {
    return softmax_source("for (int again = 0; again < " + std::to_string(times) +
                          "; again++) honest(Y, X);");
}

/// Plain loops, and what runs as its yardstick. Compiled once.
const SoftmaxSubmission& plain() {
    static const SoftmaxSubmission racer(honest(2));
    return racer;
}
const SoftmaxSubmission& yardstick() {
    static const SoftmaxSubmission racer(honest(1));
    return racer;
}

SpeedTask against(const SoftmaxSubmission& yours) {
    SpeedTask task;
    task.question = normal_question("softmax", {{"N", 96}, {"D", 64}});
    task.budget_s = 3;
    task.yours = [&yours] { return yours.worker(); };
    task.plain = [] { return plain().worker(); };
    task.yardstick = [] { return yardstick().worker(); };
    return task;
}

std::string outcome(const report::Check& check) {
    return std::string(name_of(check.outcome));
}

BOOST_AUTO_TEST_SUITE(speed)

BOOST_AUTO_TEST_CASE(the_same_loops_are_as_fast_as_themselves) {
    SpeedTask task = against(plain());
    task.scale.yardstick = 0.4;  // theirs is half the yardstick's speed
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
    const SoftmaxSubmission slow(honest(8));
    SpeedTask task = against(slow);
    task.scale.yardstick = 0.9;  // theirs has twice the plain loops' speed
    const report::Check check = judge_speed(task);
    BOOST_TEST(outcome(check) == "slow");
    BOOST_REQUIRE(check.speed.has_value());
    BOOST_TEST(check.speed->times_plain.value > 0.2);
    BOOST_TEST(check.speed->times_plain.value < 0.3);
    BOOST_TEST(check.speed->times_plain.low <= check.speed->times_plain.value);
    BOOST_TEST(check.speed->times_plain.high >= check.speed->times_plain.value);
    BOOST_TEST(check.speed->share > 0.2 * 0.2);  // in proportion, below the plain loops
    BOOST_TEST(check.speed->share < 0.2 * 0.32);
    BOOST_TEST(check.speed->yours_ms > 3 * check.speed->plain_ms);
}

BOOST_AUTO_TEST_CASE(a_wrong_answer_has_no_speed) {
    const SoftmaxSubmission zeros(softmax_source("for (int i = 0; i < Y.count(); i++) Y.data()[i] = 0;"));
    const SoftmaxSubmission nothing(softmax_source("if (X.size(0) == 0) Y(0, 0) = 0;"));
    const SoftmaxSubmission nan(
        softmax_source("for (int i = 0; i < Y.count(); i++) Y.data()[i] = __builtin_nanf(\"\");"));
    for (const SoftmaxSubmission* racer : {&zeros, &nothing, &nan}) {
        const report::Check check = judge_speed(against(*racer));
        BOOST_TEST(outcome(check) == "wrong");
        BOOST_TEST(!check.speed.has_value());
        BOOST_TEST(check.message.starts_with("In a timed call Y("));
    }
}

BOOST_AUTO_TEST_CASE(right_answers_in_no_time_are_not_believed) {
    SpeedTask task = against(yardstick());
    task.gflop = 1000;
    task.peak_gflops = 1;
    const report::Check check = judge_speed(task);
    BOOST_TEST(outcome(check) == "too_fast");
    BOOST_TEST(!check.speed.has_value());
}

BOOST_AUTO_TEST_CASE(what_cannot_be_settled_is_counted_to_the_better_side) {
    SpeedTask task = against(plain());
    task.scale = {{{0.9, 0}, {1.1, 1}}, 1};  // so steep that a hundredth of the speed is five of the points
    task.budget_s = 0;
    const report::Check check = judge_speed(task);
    BOOST_REQUIRE(check.speed.has_value());
    BOOST_TEST(!check.speed->settled);
    BOOST_TEST(check.speed->workers >= 6);
    const double yardstick = check.speed->times_plain.value / check.speed->times_yardstick.value;
    BOOST_TEST(check.speed->share > share_of(task.scale, check.speed->times_plain.value, yardstick) - 0.02);
}

BOOST_AUTO_TEST_CASE(a_yardstick_that_is_wrong_is_our_fault) {
    const SoftmaxSubmission zeros(softmax_source("for (int i = 0; i < Y.count(); i++) Y.data()[i] = 0;"));
    SpeedTask task = against(plain());
    task.yardstick = [&zeros] { return zeros.worker(); };
    BOOST_CHECK_THROW(judge_speed(task), std::runtime_error);
    const SoftmaxSubmission crash(softmax_source("__builtin_trap();"));
    task = against(plain());
    task.plain = [&crash] { return crash.worker(); };
    BOOST_CHECK_THROW(judge_speed(task), std::runtime_error);
}

/// Starts `first` so many times, then `then`.
Start at_first(const SoftmaxSubmission& first, int times, const SoftmaxSubmission& then) {
    return [&first, &then, times, started = 0]() mutable {
        return started++ < times ? first.worker({.time_s = 0.2}) : then.worker();
    };
}

BOOST_AUTO_TEST_CASE(one_stall_is_nobodys_fault_but_two_are) {
    const SoftmaxSubmission stalls(softmax_source("for (volatile int k = 0;; k = 1) {}"));
    SpeedTask task = against(plain());
    task.budget_s = 0;
    task.yours = at_first(stalls, 1, plain());
    BOOST_TEST(judge_speed(task).speed.has_value());
    task.yours = at_first(stalls, 2, plain());
    BOOST_TEST(outcome(judge_speed(task)) == "timed_out");
    task = against(plain());
    task.budget_s = 0;
    task.yardstick = at_first(stalls, 1, yardstick());
    BOOST_TEST(judge_speed(task).speed.has_value());
    task.yardstick = at_first(stalls, 2, yardstick());
    BOOST_CHECK_THROW(judge_speed(task), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_batch_is_long_enough_to_be_timed_and_no_larger_than_can_be_filled) {
    const auto calls_at = [](int N, int D) {
        const Question question = normal_question("softmax", {{"N", N}, {"D", D}});
        const Start start = [] { return yardstick().worker(); };
        Runner runner(question, start);
        FreshInputs fresh(question);
        BOOST_REQUIRE(runner.restart(fresh.next()).call.outcome == Outcome::passed);
        return runner.calls();
    };
    BOOST_TEST(calls_at(2, 2) == worker::kMostCalls);
    BOOST_TEST(calls_at(1024, 1024) == 1);
}

BOOST_AUTO_TEST_CASE(contents_are_never_the_same_and_always_alike) {
    const Question question = normal_question("softmax", {{"N", 3}, {"D", 50}});
    FreshInputs fresh(question);
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
}  // namespace attn::judge
