// The path of a course in a report: what comes next, and what builds on what.

#include <sstream>

#include <boost/test/unit_test.hpp>

#include "grader/report/findings.h"
#include "grader/report/report_queries.h"
#include "grader/report/terminal_report.h"
#include "grader/testing/golden.h"

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(course_path)

Part all_right() {
    return make_part("softmax", 1, {make_check("tall", Outcome::passed)});
}

Part untouched(const std::string& function, int step) {
    return make_part(function, step, {make_check("tall", Outcome::not_implemented)});
}

/// A report of assignment 2, in a course of these steps.
Report in_course(const Part& part, std::vector<PathStep> steps) {
    Report report = make_report({part});
    report.submission = "student";
    report.path = std::move(steps);
    return report;
}

PathStep step_of(int number, std::vector<int> builds_on = {}) {
    return {number, "Title " + std::to_string(number), "assignments/x/README.md", std::move(builds_on),
            false};
}

const std::string kDone = "nothing left to do here. Well done.";

BOOST_AUTO_TEST_CASE(the_command_of_a_long_next_step_has_a_line_of_its_own_on_a_narrow_terminal) {
    Report report = in_course(all_right(), {step_of(2), step_of(7, {1, 2, 3, 4, 5})});
    report.submission = "a/folder/with/a/long/name/of/a/student/who/writes/much";
    report.next = what_next(report);
    std::ostringstream out;
    write_terminal(out, report, {.width = 80});
    BOOST_TEST(contains(out.str(), "\n   make grade A=7 SUBMISSION=" + report.submission + "\n"), out.str());
}

BOOST_AUTO_TEST_CASE(words_for_what_an_assignment_builds_on) {
    BOOST_TEST(builds_on_in_words(step_of(2)).empty());
    BOOST_TEST(builds_on_in_words(step_of(2, {1})) == "builds on 1");
    BOOST_TEST(builds_on_in_words(step_of(6, {2, 3, 5})) == "builds on 2, 3 and 5");
}

BOOST_AUTO_TEST_CASE(after_a_full_assignment_comes_the_next_one_of_the_course) {
    BOOST_TEST(what_next(in_course(all_right(), {})) == kDone);
    BOOST_TEST(
        what_next(in_course(all_right(), {step_of(1), step_of(2), step_of(5, {2, 3}), step_of(3, {2})})) ==
        kDone +
            " Go on with assignment 5 (Title 5), which builds on 2 and 3: assignments/x/README.md. Then: "
            "make "
            "grade A=5");
    BOOST_TEST(what_next(in_course(all_right(), {step_of(2), step_of(1)})) ==
               kDone + " Go on with assignment 1 (Title 1): assignments/x/README.md. Then: make grade A=1");
    // The last one of the course, and one after which only later ones come.
    BOOST_TEST(what_next(in_course(all_right(), {step_of(1), step_of(2)})) == kDone);
    BOOST_TEST(what_next(in_course(all_right(), {step_of(2), {7, "More", "", {}, true}})) == kDone);
    BOOST_TEST(split_next_step(what_next(in_course(all_right(), {step_of(2), step_of(3)}))).command ==
               "make grade A=3");
}

/// A course that has steps 1 and 2 of assignment 2, then assignment 1, then step 3 of assignment 2.
std::vector<PathStep> divided() {
    std::vector<PathStep> path{step_of(2), step_of(1), step_of(2), step_of(4)};
    path[0].steps = {1, 2};
    path[2].steps = {3};
    path[2].title += ", step 3";
    return path;
}

Report graded(const std::vector<Part>& parts) {
    Report report = make_report(parts);
    report.submission = "student";
    report.path = divided();
    return report;
}

BOOST_AUTO_TEST_CASE(between_the_steps_of_a_divided_assignment_comes_another_assignment) {
    const Part third = untouched("layer", 3), second = untouched("attention", 2);
    BOOST_TEST(what_next(graded({all_right(), second, third})).starts_with("write attention ("));
    const Report here = graded({all_right(), third});
    BOOST_TEST(what_next(here) ==
               "these steps are done. Go on with assignment 1 (Title 1): "
               "assignments/x/README.md. Then: make grade A=1");
    // Graded with the other one, which is not begun, begun, and done.
    Report both = here;
    both.assignments.push_back(make_report({untouched("scores", 1)}).assignments.front());
    both.assignments.back().number = 1;
    BOOST_TEST(what_next(both).starts_with("write scores ("));
    Part& scores = both.assignments.back().parts.front();
    scores.checks.front().outcome = Outcome::wrong;
    BOOST_TEST(what_next(both).starts_with("fix scores ("));
    scores.checks.front().outcome = Outcome::passed;
    BOOST_TEST(what_next(both).starts_with("write layer ("));
    // The other one alone leads on to the later step.
    std::erase_if(both.assignments, [](const Assignment& each) { return each.number == 2; });
    BOOST_TEST(
        what_next(both).ends_with("Go on with assignment 2 (Title 2, step 3): "
                                  "assignments/x/README.md. Then: make grade A=2"));
}

BOOST_AUTO_TEST_CASE(once_a_later_step_of_a_divided_assignment_is_begun_it_is_gone_on_with) {
    Part third = untouched("layer", 3);
    third.checks.push_back(make_check("wide", Outcome::wrong));
    BOOST_TEST(what_next(graded({all_right(), third})).starts_with("fix layer ("));
    const Report done = graded({all_right(), make_part("layer", 3, {make_check("a", Outcome::passed)})});
    BOOST_TEST(what_next(done).starts_with(kDone + " Go on with assignment 4 ("));
}

BOOST_AUTO_TEST_CASE(what_is_left_in_an_assignment_comes_before_the_next_one) {
    const std::string next = what_next(in_course(untouched("softmax", 1), {step_of(2), step_of(3)}));
    BOOST_TEST(next ==
               "write softmax (assignments/02_self_attention/README.md, step 1). Then: make grade A=2");
}

BOOST_AUTO_TEST_CASE(after_a_full_part_the_next_one_is_named_with_what_it_builds_on) {
    Part second = untouched("attention", 2);
    second.builds_on = {"softmax", "dot"};
    Report report = make_report({all_right(), second});
    report.submission = "student";
    BOOST_TEST(what_next(report) ==
               "write attention, which builds on softmax and dot (assignments/02_self_attention/README.md, "
               "step 2). Then: "
               "make grade A=2");
    // Of a function that is begun, only the mistake counts.
    report.assignments[0].parts[1].checks[0].outcome = Outcome::wrong;
    BOOST_TEST(what_next(report).starts_with("fix attention (assignments/"));
}

BOOST_AUTO_TEST_CASE(the_terminal_says_what_an_assignment_that_is_not_begun_builds_on) {
    Report report = in_course(all_right(), {step_of(2), step_of(5, {2, 3})});
    Assignment other = make_report({untouched("block", 1)}).assignments.front();
    other.number = 5;
    other.title = "Homework 2: A title of forty-four letters..";
    report.assignments.push_back(other);
    std::ostringstream out;
    write_terminal(out, report, {.width = 100});
    const std::string text = out.str();
    BOOST_TEST_CONTEXT(text) {
        BOOST_TEST(contains(text, "not begun, builds on 2 and 3\n"));
        // Points stand in one column, also beside long titles.
        const auto column_of = [&text](const std::string& title, const std::string& points) {
            const std::size_t begin = text.find(title);
            return text.find(points, begin) - text.rfind('\n', begin) + points.size();
        };
        BOOST_TEST(column_of("2  Self-attention", " / 2.5") == column_of("5  Homework 2", " / 2.5"));
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
