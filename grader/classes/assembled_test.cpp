#include "grader/classes/assembled.h"

#include <boost/test/unit_test.hpp>

#include "grader/grading/grade.h"
#include "grader/report/json.h"
#include "grader/report/report_queries.h"
#include "grader/testing/built.h"
#include "grader/testing/sample.h"

namespace attn::classes {
namespace {

BOOST_AUTO_TEST_SUITE(assembled, *boost::unit_test::label("long"))

/// The demo submission, graded by the real grader: one part right, two mistakes, a stand-in.
report::Report graded_demo(const std::vector<std::string>& parts = {}) {
    GradeOptions options;
    options.submission = testing::built().proof / "demo";
    options.assignment = 2;
    options.parts = parts;
    options.speed = false;
    return grade(options);
}

/// Everything of a report that does not depend on when and where it was made.
std::string text_of(report::Report report) {
    report.duration_s = 0;
    report.submission = "student";
    report.next.clear();  // names the submission
    report.path.clear();  // the course as it is now
    return report::to_json(report);
}

struct Rubrics {
    std::vector<rubric::Rubric> all = rubric::read_rubrics(testing::built().assignments);
    Scoring scoring(bool speed = false) const { return {&all.at(1), &all, false, speed}; }
};

BOOST_AUTO_TEST_CASE(a_stored_result_gives_the_report_that_grading_gave) {
    const report::Report graded = graded_demo();
    const Rubrics rubrics;
    BOOST_TEST(text_of(unpacked_report(packed_report(graded))) == text_of(graded));
    BOOST_TEST(text_of(classes::assembled(unpacked_report(packed_report(graded)), {}, rubrics.scoring())) ==
               text_of(graded));
    Scoring in_course = rubrics.scoring();
    in_course.path = {{2, "Homework 1", "x", {}, false}};
    BOOST_TEST(
        (classes::assembled(unpacked_report(packed_report(graded)), {}, in_course).path == in_course.path));
    BOOST_CHECK_THROW(unpacked_report("nothing"), std::exception);
    std::string damaged = packed_report(graded);
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
    BOOST_CHECK_THROW(unpacked_report(damaged), std::exception);
}

BOOST_AUTO_TEST_CASE(a_part_graded_alone_gives_what_it_gives_among_all) {
    const report::Report graded = graded_demo();
    const Rubrics rubrics;
    for (const rubric::PartRubric& part : proof::drawn(rubrics.all.at(1).parts, proof::at_most(2))) {
        const report::Report alone = graded_demo({part.function->name});
        BOOST_TEST(alone.assignments.at(0).parts.size() == 1U);
        const report::Report together = with_parts(graded, alone, rubrics.all.at(1));
        BOOST_TEST(text_of(classes::assembled(together, {}, rubrics.scoring())) == text_of(graded),
                   part.function->name);
    }
    BOOST_CHECK_THROW(graded_demo({"nothing"}), UserError);
}

BOOST_AUTO_TEST_CASE(new_points_follow_the_same_rule) {
    const report::Report graded = graded_demo();
    Rubrics rubrics;
    const double before = report::total_of(graded).points;
    for (rubric::PartRubric& part : rubrics.all.at(1).parts) {
        part.numeric_points *= 3;
        part.property_points *= 3;
    }
    const report::Report report = classes::assembled(graded, {}, rubrics.scoring());
    BOOST_TEST(before > 0);
    BOOST_TEST(report::total_of(report).points == 3 * before, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(report::total_of(report).max_points == 3 * report::total_of(graded).max_points);
}

BOOST_AUTO_TEST_CASE(speed_waits_for_right_numbers) {
    const report::Report graded = graded_demo();
    const Rubrics rubrics;
    const auto& rules = rubrics.all.at(1);
    BOOST_TEST(parts_to_measure(graded, rules).empty());  // the demo's attention is wrong
    const report::Report report = classes::assembled(graded, {}, rubrics.scoring(true));
    BOOST_TEST(report::total_of(report).max_points == rules.points());
    const report::Part& attention = report.assignments.at(0).parts.at(1);
    const auto speed = std::ranges::find(attention.checks, report::CheckKind::speed, &report::Check::kind);
    BOOST_TEST_REQUIRE((speed != attention.checks.end()));
    BOOST_TEST(speed->message == "Not measured: first the numbers have to be right.");
    BOOST_TEST(speed->points == 0);
    BOOST_TEST(speed->max_points == rules.parts.at(1).speed->points);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::classes
