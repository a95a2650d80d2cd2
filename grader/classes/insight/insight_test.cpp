// What is found in a class, from reports made by hand.

#include "grader/classes/insight/insight.h"

#include <boost/test/unit_test.hpp>

#include "datasets/files/temporary_directory.h"
#include "grader/classes/insight/collector.h"
#include "grader/classes/insight/distribution.h"
#include "grader/classes/insight/evidence.h"
#include "grader/testing/golden.h"

namespace attn::classes {
namespace {

using report::Check;
using report::Report;

BOOST_AUTO_TEST_SUITE(insight)

/// A check of the first function whose failure has these mistakes as its name.
Check named(const std::string& name, const std::vector<std::string>& mistakes) {
    Check check = report::make_check(name, Outcome::wrong, "Y is wrong.");
    check.diagnosis = {
        mistakes, "Your output is exactly what comes out when exp is left out.", {"What is exp for?"}};
    return check;
}

/// A report with one part. Its checks have 2.5 points each.
Report report_of(const std::vector<Check>& checks) {
    Report made = report::make_report({report::make_part("softmax", 1, checks)});
    made.assignments.front().points = made.assignments.front().max_points = 0;
    report::Part& part = made.assignments.front().parts.front();
    part.points = part.max_points = 0;
    for (const Check& check : checks) {
        part.points += check.points;
        part.max_points += check.max_points;
    }
    made.assignments.front().points = part.points;
    made.assignments.front().max_points = part.max_points;
    return made;
}

Report right() {
    return report_of(
        {report::make_check("ragged", Outcome::passed), report::make_check("tall", Outcome::passed)});
}

StudentView student_with(const std::vector<Report>& reports) {
    static int count = 0;
    StudentView student;
    student.pseudonym = fmt::format("student-{}", ++count);
    student.person.name = "Name of " + student.pseudonym;
    Moment when = 1000;
    for (const Report& each : reports) {
        AttemptView& attempt = student.attempts.emplace_back();
        attempt.number = static_cast<int>(student.attempts.size());
        attempt.when = when += 60;
        attempt.counts = student.attempts.size() == reports.size();
        attempt.report = each;
    }
    return student;
}

Insight insight_of(const std::vector<StudentView>& students) {
    InsightCollector collector({"A class", 2000, std::nullopt, false, {}});
    for (const StudentView& student : students) collector.add(student);
    return collector.finish();
}

BOOST_AUTO_TEST_CASE(misconceptions_are_counted_once_for_each_student) {
    const Report wrong = report_of({named("ragged", {"left_out"}), named("tall", {"left_out"})});
    const Report other =
        report_of({named("ragged", {"columns"}), report::make_check("tall", Outcome::passed)});
    const Insight found = insight_of(
        {student_with({other}), student_with({wrong}), student_with({right()}), student_with({wrong})});
    BOOST_TEST_REQUIRE(found.misconceptions.size() == 2U);
    const Misconception& first = found.misconceptions.front();
    BOOST_TEST(first.mistakes == std::vector<std::string>{"left_out"});
    BOOST_TEST(first.students == (std::vector{1, 3}));
    BOOST_TEST(first.cause == "exp is left out");
    BOOST_TEST(first.hint == "What is exp for?");
    BOOST_TEST_REQUIRE(first.examples.size() == 2U);
    BOOST_TEST(first.examples[0].student == 1);
    BOOST_TEST(first.examples[0].check == "2.softmax.ragged");
    BOOST_TEST(first.examples[0].place == "self_attention.cpp");
}

BOOST_AUTO_TEST_CASE(only_the_attempt_that_counts_is_looked_at) {
    const Insight found = insight_of({student_with({report_of({named("ragged", {"left_out"})}), right()})});
    BOOST_TEST(found.misconceptions.empty());
    BOOST_TEST(found.students.front().attempts.size() == 2U);
    BOOST_TEST(*found.students.front().attempts.front().points == 0);
    BOOST_TEST(found.students.front().points == 5);
}

BOOST_AUTO_TEST_CASE(two_mistakes_at_once_are_two_misconceptions) {
    const Insight found = insight_of({student_with({report_of({named("ragged", {"left_out+columns"})})})});
    BOOST_TEST_REQUIRE(found.misconceptions.size() == 2U);
    BOOST_TEST(found.misconceptions[0].mistakes == std::vector<std::string>{"left_out"});
    BOOST_TEST(found.misconceptions[1].mistakes == std::vector<std::string>{"columns"});
    BOOST_TEST(found.misconceptions[1].cause == "columns");  // the sentence is about both
}

BOOST_AUTO_TEST_CASE(mistakes_that_cannot_be_told_apart_are_one_unless_one_of_them_is_named_alone) {
    const Insight both = insight_of({student_with({report_of({named("ragged", {"a", "b"})})})});
    BOOST_TEST_REQUIRE(both.misconceptions.size() == 1U);
    BOOST_TEST(both.misconceptions.front().cause == "a, or b");
    const Insight one =
        insight_of({student_with({report_of({named("ragged", {"a", "b"}), named("tall", {"b"})})})});
    BOOST_TEST_REQUIRE(one.misconceptions.size() == 1U);
    BOOST_TEST(one.misconceptions.front().mistakes == std::vector<std::string>{"b"});
}

BOOST_AUTO_TEST_CASE(examples_come_from_students_with_few_mistakes_and_name_a_line) {
    Check crashed = named("tall", {"left_out"});
    crashed.lines = SourceTrace{"", {{"mine.cpp", 41, "softmax", "x;"}}};
    const Insight found = insight_of(
        {student_with({report_of({named("ragged", {"left_out"}), named("tall", {"columns"})})}),
         student_with({report_of({named("ragged", {"left_out"})})}), student_with({report_of({crashed})})});
    const std::vector<InsightExample>& examples = found.misconceptions.front().examples;
    BOOST_TEST_REQUIRE(examples.size() == 2U);
    BOOST_TEST(examples[0].student == 2);
    BOOST_TEST(examples[0].place == "mine.cpp:41");
    BOOST_TEST(examples[1].student == 1);
}

BOOST_AUTO_TEST_CASE(without_a_line_an_example_names_the_definition_in_the_submission) {
    const data::TemporaryDirectory folder;
    folder.write("softmax.cpp",
                 "// softmax(X) is below\nvoid softmax(int);\nvoid call() { softmax(1); }\nint "
                 "my_softmax(int) { return 1; }\n"
                 "void softmax (int n) {\n}\n");
    Report made = report_of({named("ragged", {"left_out"})});
    made.assignments.front().sources = {{"softmax.cpp", true, true, ""}};
    BOOST_TEST(named_mistakes(made, folder.path()).front().place == "softmax.cpp:5");
    made.assignments.front().sources = {{"elsewhere.cpp", true, true, ""}};
    BOOST_TEST(named_mistakes(made, folder.path()).front().place == "elsewhere.cpp");
}

BOOST_AUTO_TEST_CASE(pairs_need_a_class_and_more_than_chance) {
    const auto class_of = [](int rights, int firsts, int seconds, int boths) {
        std::vector<StudentView> students;
        const auto add = [&](int count, const std::vector<Check>& checks) {
            for (int k = 0; k < count; ++k) students.push_back(student_with({report_of(checks)}));
        };
        add(rights, {report::make_check("ragged", Outcome::passed)});
        add(firsts, {named("ragged", {"a"})});
        add(seconds, {named("ragged", {"b"})});
        add(boths, {named("ragged", {"a"}), named("tall", {"b"})});
        return insight_of(students);
    };
    const Insight found = class_of(30, 2, 4, 4);
    BOOST_TEST_REQUIRE(found.pairs.size() == 1U);
    const MisconceptionPair& pair = found.pairs.front();
    BOOST_TEST(pair.students == (std::vector{36, 37, 38, 39}));
    BOOST_TEST(pair.expected == 6 * 8 / 40.0);
    BOOST_TEST(pair.lift == 4 / 1.2, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(pair.chance == chance_of_both(40, 6, 8, 4), boost::test_tools::tolerance(1e-9));
    BOOST_TEST(class_of(30, 2, 4, 2).pairs.empty());     // two students are too few
    BOOST_TEST(class_of(9, 2, 4, 4).pairs.empty());      // the class is too small
    BOOST_TEST(class_of(20, 20, 20, 20).pairs.empty());  // independent
}

BOOST_AUTO_TEST_CASE(the_hardest_part_has_the_smallest_share_of_points) {
    Report two = right();
    two.assignments.front().parts.push_back(
        report_of({named("ragged", {"a"}), report::make_check("tall", Outcome::passed)})
            .assignments.front()
            .parts.front());
    two.assignments.front().parts.back().function = "attention";
    const Insight found = insight_of({student_with({two})});
    BOOST_TEST_REQUIRE(found.hardest.has_value());
    BOOST_TEST(found.parts[*found.hardest].function == "attention");
    BOOST_TEST(*found.parts[1].shares.mean == 0.5);
    BOOST_TEST(!insight_of({}).hardest);
}

BOOST_AUTO_TEST_CASE(checks_count_those_whose_function_ran) {
    const Check failed = report::make_check("ragged", Outcome::wrong),
                passed = report::make_check("ragged", Outcome::passed),
                unwritten = report::make_check("ragged", Outcome::not_implemented),
                broken = report::make_check("ragged", Outcome::not_compiled);
    const Insight found =
        insight_of({student_with({report_of({failed})}), student_with({report_of({passed})}),
                    student_with({report_of({unwritten})}), student_with({report_of({broken})})});
    BOOST_TEST_REQUIRE(found.checks.size() == 1U);
    BOOST_TEST(found.checks.front().failed == std::vector{0});
    BOOST_TEST(found.checks.front().passed == 1);
    BOOST_TEST(found.checks.front().lost == 2.5);
    const InsightPart& part = found.parts.front();
    BOOST_TEST(part.not_written == std::vector{2});
    BOOST_TEST(part.not_compiled == std::vector{3});
    BOOST_TEST(part.failed.at("wrong") == std::vector{0});
    BOOST_TEST(part.unnamed == std::vector{0});
}

BOOST_AUTO_TEST_CASE(who_handed_in_nothing_is_not_who_could_not_be_graded) {
    StudentView missing, stranger, damaged = student_with({right()}), waiting = student_with({right()});
    missing.pseudonym = "absent-1";
    stranger.pseudonym = "absent-2";
    stranger.on_roster = false;
    damaged.attempts.front().report.reset();
    damaged.attempts.front().problem = "the archive\nis damaged";
    waiting.attempts.front().report.reset();
    const Insight found = insight_of({missing, stranger, damaged, waiting, student_with({right()})});
    BOOST_TEST(found.missing == std::vector{0});
    BOOST_TEST(found.ungraded == (std::vector{2, 3}));
    BOOST_TEST(found.graded == std::vector{4});
    BOOST_TEST(found.students[2].problem == "the archive is damaged");
    BOOST_TEST(found.students[3].problem == "not graded yet");
    BOOST_TEST(found.total.count == 1);
}

BOOST_AUTO_TEST_CASE(outliers_follow_their_rules) {
    const Report wrong = report_of({named("ragged", {"a"}), named("tall", {"a"})});
    std::vector<StudentView> students;
    for (int k = 0; k < 12; ++k) students.push_back(student_with({right()}));
    const auto rules_of = [&](const StudentView& last) {
        std::vector<StudentView> all = students;
        all.push_back(last);
        std::vector<std::string> rules;
        for (const Outlier& outlier : insight_of(all).outliers) {
            BOOST_TEST(outlier.student == 12);
            BOOST_TEST(insight_rules().contains(outlier.rule));
            rules.push_back(outlier.rule);
        }
        return rules;
    };
    using Rules = std::vector<std::string>;
    BOOST_TEST(rules_of(student_with({right()})) == Rules{});
    BOOST_TEST(rules_of(student_with({wrong})) == Rules{"points"});
    BOOST_TEST(rules_of(student_with({right(), wrong})) == (Rules{"points", "fell"}));
    BOOST_TEST(rules_of(student_with({wrong, right()})) == Rules{"jump"});
    StudentView slowly = student_with({wrong, right()});
    slowly.attempts.back().when += 3600;
    BOOST_TEST(rules_of(slowly) == Rules{});
    BOOST_TEST(rules_of(student_with(std::vector<Report>(10, right()))) == Rules{"attempts"});
    BOOST_TEST(rules_of(student_with(std::vector<Report>(9, right()))) == Rules{});
    students.resize(8);
    BOOST_TEST(insight_of(students).outliers.empty());
}

BOOST_AUTO_TEST_CASE(the_fastest_comes_first) {
    const auto with_speed = [](double times) {
        Report made = report_of({report::make_check("ragged", Outcome::passed), report::make_speed()});
        made.assignments.front().parts.front().checks.back().speed->times_plain.value = times;
        return student_with({made});
    };
    const Insight found = insight_of({with_speed(2), with_speed(8), with_speed(report::kNan), with_speed(4)});
    BOOST_TEST_REQUIRE(found.speed.size() == 1U);
    std::vector<int> order;
    for (const SpeedEntry& entry : found.speed.front().entries) order.push_back(entry.student);
    BOOST_TEST(order == (std::vector{1, 3, 0}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::classes
