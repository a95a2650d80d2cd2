// Growth of functions whose costs are known. The answers of every timed call are compared.

#include "grader/judge/measure_growth.h"

#include <stdexcept>
#include <string>

#include <boost/test/unit_test.hpp>

#include "grader/judge/in_process.h"
#include "grader/testing/softmax_submission.h"

namespace attn::judge {
namespace {

BOOST_AUTO_TEST_SUITE(measure_growth)

using proof::softmax_source;
using proof::SoftmaxSubmission;

const SoftmaxSubmission& honest() {
    static const SoftmaxSubmission submission(softmax_source("honest(Y, X);"));
    return submission;
}

GrowthTask task_for(const SoftmaxSubmission& yours) {
    GrowthTask task;
    task.question = normal_question("softmax", {{"D", 64}});
    task.letters = {"N"};
    task.lengths = {32, 64, 128, 256, 512};
    task.time_above_plain = 0.5;
    task.budget_s = 0;  // the fewest processes
    task.yours = [&yours] { return yours.worker(); };
    task.plain = [] { return honest().worker(); };
    return task;
}

report::Check judged(const std::string& body, const std::string& top = {}) {
    const SoftmaxSubmission yours(softmax_source(body, top));
    return judge_growth(task_for(yours));
}

std::string outcome(const report::Check& check) {
    return std::string(name_of(check.outcome));
}

BOOST_AUTO_TEST_CASE(the_plain_loops_pass) {
    const report::Check check = judge_growth(task_for(honest()));
    BOOST_TEST(outcome(check) == "passed", check.message);
    BOOST_REQUIRE(check.growth.size() == 1U);
    const report::Growth& growth = check.growth.front();
    BOOST_TEST(growth.what == "time");
    BOOST_TEST(growth.values.size() == 5U);
    BOOST_REQUIRE(growth.plain.has_value());
    BOOST_TEST(growth.plain->values.size() == 5U);
    BOOST_TEST(growth.plain->exponent.value > 0.5);  // the time of both is more than a constant
}

BOOST_AUTO_TEST_CASE(every_timed_answer_is_compared) {
    const std::string all = "for (int i = 0; i < Y.count(); i++) Y.data()[i] = ";
    for (const std::string& body : std::initializer_list<std::string>{
             all + "0.5f;",
             all + "__builtin_nanf(\"\");",
             "if (X.size(0) < 0) " + all + "0;",                                // writes nothing
             "honest(Y, X); if (X.size(0) == 512) Y(511, 63) = 1;",             // one element, at one length
             "static int calls; honest(Y, X); if (++calls == 1) Y(0, 0) = 1;",  // the first call of a process
             "static int calls; honest(Y, X); if (++calls == 3) Y(0, 0) = 1;",
         }) {
        const report::Check check = judged(body);
        BOOST_TEST(outcome(check) == "wrong", body);
        BOOST_TEST(check.message.starts_with("In a timed call Y("), body);
        BOOST_TEST(check.growth.empty(), body);
    }
}

/// Judges a submission that computes the softmax several times. `how_many`: an expression with N.
report::Check judged_with(const std::string& how_many) {
    return judged("const int N = X.size(0); for (int k = " + how_many + "; k > 0; k--) honest(Y, X);");
}

BOOST_AUTO_TEST_CASE(one_power_more_is_slow) {
    const report::Check check = judged_with("N / 8");
    BOOST_TEST(outcome(check) == "slow");
    BOOST_TEST(check.message.starts_with("Time grows as N^"), check.message);
}

BOOST_AUTO_TEST_CASE(some_times_the_time_of_the_plain_loops_is_allowed) {
    const report::Check check = judged_with("20");
    BOOST_TEST(outcome(check) == "passed", check.message);
}

BOOST_AUTO_TEST_CASE(answers_are_compared_while_memory_is_measured) {
    const SoftmaxSubmission half(softmax_source("for (int i = 0; i < Y.count(); i++) Y.data()[i] = 0.5f;"));
    GrowthTask task = task_for(half);
    task.time_above_plain = 0, task.memory = 1.2;
    BOOST_TEST(outcome(judge_growth(task)) == "wrong");
    task.yours = [] { return honest().worker(); };
    BOOST_TEST(outcome(judge_growth(task)) == "passed");
}

BOOST_AUTO_TEST_CASE(a_wrong_library_of_the_grader_is_a_fault) {
    const SoftmaxSubmission zeros(softmax_source("for (int i = 0; i < Y.count(); i++) Y.data()[i] = 0;"));
    const SoftmaxSubmission crash(softmax_source("__builtin_trap();"));
    for (const SoftmaxSubmission* bad : {&zeros, &crash})
        for (const bool memory : {false, true}) {
            GrowthTask task = task_for(honest());
            if (memory) task.time_above_plain = 0, task.memory = 1.2;
            task.plain = [bad] { return bad->worker(); };
            BOOST_CHECK_THROW(judge_growth(task), std::runtime_error);
        }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::judge
