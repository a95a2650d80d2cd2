// The time of an assignment as a whole: what is refused, what is named, and that a right submission is not
// affected.

#include "grader/grading/time_budget.h"

#include <chrono>
#include <string>
#include <thread>

#include <boost/test/unit_test.hpp>

#include "datasets/files/temporary_directory.h"
#include "grader/base/processor_time.h"
#include "grader/grading/grade.h"
#include "grader/proof/harness.h"

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(time_budget, *boost::unit_test::label("long"))

void spend(TimeBudget& budget, const std::string& name, int milliseconds) {
    const TimeBudget::Use use(budget, name);
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

BOOST_AUTO_TEST_CASE(the_refusal_names_what_took_most) {
    TimeBudget budget(0.2);
    BOOST_TEST(!budget.refusal());
    spend(budget, "compiling", 20);
    spend(budget, "calls of softmax", 50);
    BOOST_TEST(!budget.refusal());
    spend(budget, "calls of softmax", 150);
    const auto refused = budget.refusal();
    BOOST_REQUIRE(refused.has_value());
    BOOST_TEST(name_of(refused->outcome) == "over_budget");
    BOOST_TEST(
        refused->detail.starts_with(
            "Not run: the 0.2 s for this assignment as a whole are used up; calls of softmax took 0.2"),
        refused->detail);
    BOOST_TEST(refused->detail.find("compiling took 0.0") != std::string::npos, refused->detail);
}

BOOST_AUTO_TEST_CASE(what_is_running_counts_already) {
    TimeBudget budget(0.05);
    const TimeBudget::Use use(budget, "speed of softmax");
    BOOST_TEST(!budget.refusal());
    std::this_thread::sleep_for(std::chrono::milliseconds(80));
    BOOST_REQUIRE(budget.refusal().has_value());
    BOOST_TEST(budget.refusal()->detail.find("speed of softmax took 0.") != std::string::npos);
}

/// Takes so much processor time, however long that takes.
void work(double seconds) {
    const double end_s = processor_time_s() + seconds;
    while (processor_time_s() < end_s) continue;
}

BOOST_AUTO_TEST_CASE(own_work_has_a_limit_of_its_own) {
    TimeBudget budget(0.1);
    {
        const TimeBudget::OwnWork own_work(budget);
        spend(budget, "compiling", 60);
        work(0.06);
        BOOST_TEST(!budget.refusal());  // 0.06 s each
        work(0.06);
    }
    const auto refused = budget.refusal();
    BOOST_REQUIRE(refused.has_value());
    BOOST_TEST(refused->detail.find("used up; the grader's own work took 0.1") != std::string::npos,
               refused->detail);
    BOOST_TEST(refused->detail.find("compiling took 0.0") != std::string::npos, refused->detail);
}

BOOST_AUTO_TEST_CASE(own_work_does_not_count_while_it_waits_for_a_processor) {
    TimeBudget budget(0.05);
    const TimeBudget::OwnWork own_work(budget);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    BOOST_TEST(!budget.refusal());
}

report::Report graded(const std::string& text, double budget_s) {
    const data::TemporaryDirectory folder;
    folder.write("self_attention.cpp", text);
    GradeOptions options;
    options.submission = folder.path();
    options.assignment = 2;
    options.speed = false;
    rubric::Rubric rubric = rubric::read_rubric(options.installation.assignments / "02_self_attention");
    rubric.budget_s = budget_s;
    compile::Builds builds(folder.path(), {rubric}, options.installation, {});
    builds.of(builds.rubrics().front());  // a busy machine may take seconds for it
    return grade(options, builds);
}

BOOST_AUTO_TEST_CASE(many_small_delays_end_with_an_outcome_of_their_own) {
    std::string text = proof::solution("self_attention");
    text.insert(0, "#include <unistd.h>\n");
    const auto body = text.find('{', text.find("void softmax(")) + 1;
    text.insert(body, "\n    usleep(300000);\n");  // no call is near its own limit
    const auto start = worker::Clock::now();
    const report::Report report = graded(text, 6);
    BOOST_TEST(std::chrono::duration<double>(worker::Clock::now() - start).count() < 40);
    const report::Part& first = proof::part(report, "softmax");
    BOOST_TEST(name_of(first.checks.front().outcome) == "passed");
    const report::Check& last = proof::part(report, "self_attention").checks.back();
    BOOST_TEST(name_of(last.outcome) == "over_budget");
    BOOST_TEST(last.points == 0);
    BOOST_TEST(last.message.find("6 s for this assignment as a whole are used up") != std::string::npos,
               last.message);
    BOOST_TEST(last.message.find("calls of softmax took") != std::string::npos, last.message);
    BOOST_TEST(report.assignments.at(0).points > 0);
}

BOOST_AUTO_TEST_CASE(slow_loads_that_crash_are_counted) {
    const report::Report report = graded(
        "#include <unistd.h>\n#include <stdlib.h>\n#include \"self_attention.h\"\n"
        "static int slow = (usleep(700000), 0);\n"
        "void attn::softmax(TensorView<float, 2>, TensorView<const float, 2>) { abort(); }\n",
        5);
    const auto& checks = proof::part(report, "softmax").checks;
    BOOST_TEST(name_of(checks.front().outcome) == "crashed");
    BOOST_TEST(name_of(checks.back().outcome) == "over_budget");
}

BOOST_AUTO_TEST_CASE(a_right_submission_stays_far_below_the_default) {
    BOOST_TEST(
        graded(proof::solution("self_attention"), rubric::Rubric().budget_s / 10).assignments.at(0).points ==
        85);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
