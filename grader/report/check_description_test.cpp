// The description of a check, and the totals of a report.

#include "grader/report/check_description.h"

#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "grader/report/clean.h"
#include "grader/report/report_queries.h"
#include "grader/testing/golden.h"

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(check_description)

std::string text_of(const Check& check) {
    return plain_text(describe(golden(), make_part("softmax", 1, {check}), cleaned(check)));
}

BOOST_AUTO_TEST_CASE(a_wrong_answer_is_described_with_place_smallest_case_mistake_hint_and_command) {
    BOOST_TEST(text_of(make_wrong("long")) ==
               "(normal numbers, N=5 D=7)\n"
               "Every row of Y is off.\n"
               "Worst at Y(1, 3): yours 0.4127, expected 0.3891\n"
               "(410000 times the rounding error of a plain loop; 20 are allowed).\n"
               "Right with D = 1, wrong from D = 2.\n"
               "A small case that still fails:   N=1 D=2\n"
               "  X      0.25        -3\n"
               "  Y yours      0.75       nan    expected       0.5       0.5\n"
               "On the way a right solution computes:\n"
               "  m     0.125\n"
               "Your output is exactly what comes out when exp is left out.\n"
               "Think: What is exp for?  (handout, step 1)\n"
               "More on this:  make explain ID=2.softmax.long\n");
}

BOOST_AUTO_TEST_CASE(a_small_case_without_numbers_says_so) {
    Check check = make_wrong("long");
    BOOST_TEST(!contains(text_of(check), "too many to show"));
    check.smallest->inputs.clear();
    // A function of options alone has no arrays that go in.
    BOOST_TEST(!contains(text_of(check), "too many to show"));
    check.smallest->yours.clear();
    check.smallest->expected.clear();
    BOOST_TEST(contains(text_of(check),
                        "A small case that still fails:   N=1 D=2 (its numbers are too many to show)\n"));
}

BOOST_AUTO_TEST_CASE(an_output_that_is_right_in_the_smallest_case_is_not_compared) {
    Check check = make_wrong("long");
    SmallestCase& smallest = *check.smallest;
    smallest.yours.push_back({"c", {1}, {0.416533977}});
    smallest.expected.push_back({"c", {1}, {0.41653399}});
    smallest.wrong = {{"Y", {1, 2}, {1, 1}}, {"c", {1}, {0}}};
    const std::string text = text_of(check);
    BOOST_TEST_CONTEXT(text) {
        BOOST_TEST(contains(text, "\n  c (right)    0.4165\n"));
        BOOST_TEST(!contains(text, "0.41653"));
    }
    smallest.wrong.at(1).values = {1};
    BOOST_TEST(contains(text_of(check), "0.41653"));
}

BOOST_AUTO_TEST_CASE(a_wrong_answer_without_a_name_ends_with_a_question) {
    Check check = make_wrong("long");
    check.diagnosis.reset();
    check.question = "What is m?";
    BOOST_TEST(contains(text_of(check), "Think: What is m?  (handout, step 1)\n"));
    check.question.clear();
    BOOST_TEST(!contains(text_of(check), "Think:"));
}

BOOST_AUTO_TEST_CASE(printed_text_is_quoted_and_cut) {
    Check check = make_check("a", Outcome::threw, "It threw.");
    check.printed = kHostile + std::string(100, '\n');
    const std::string text = text_of(check);
    BOOST_TEST_CONTEXT(text) {
        BOOST_TEST(contains(text, "It threw.\nIn case a it printed:\n  | ?[31mred"));
        BOOST_TEST(contains(text, "\n  | | ::error::x\n"));
        BOOST_TEST(contains(text, "\n  | (and more)\n"));
    }
}

BOOST_AUTO_TEST_CASE(speed_is_described_by_its_numbers_and_a_passed_check_by_its_inputs) {
    const std::string text = text_of(make_speed());
    for (const char* part : {"  yardstick   ====", "\n6.25 times the plain loops (95 % interval",
                             "\nTry: Which array", "make explain ID=2.attention.speed\n"})
        BOOST_TEST_CONTEXT(text) BOOST_TEST(contains(text, part), "missing: " << part);
    BOOST_TEST(contains(text_of(make_growth()), "\nMemory grows as N^1.98"));
    BOOST_TEST(text_of(make_check("a", Outcome::passed)) == "(normal numbers, N=5 D=7)\n");
    BOOST_TEST(text_of(make_check("a", Outcome::skipped, "Not run.")) ==
               "(normal numbers, N=5 D=7)\nNot run.\n");
    Check property = make_check("sums", Outcome::passed);
    property.kind = CheckKind::property;
    property.about = "every row sums to 1";
    BOOST_TEST(text_of(property) == "\"every row sums to 1\"\n");
    BOOST_TEST(name_in_words(property) == "property sums");
    BOOST_TEST(name_in_words(make_wrong("a")) == "case a");
    BOOST_TEST(name_in_words(make_speed()) == "speed");
}

BOOST_AUTO_TEST_CASE(the_state_of_a_part_is_one_line) {
    const auto parts = golden().assignments.at(0).parts;
    BOOST_TEST(state_of(parts.at(0)) == "1 of 5 numeric, 0 of 1 properties");
    BOOST_TEST(state_of(parts.at(1)) == "not implemented yet");
    BOOST_TEST(state_of(parts.at(2)) == "1 numeric, speed slow, growth slow");
    BOOST_TEST(state_of(make_part("f", 1, {make_check("a", Outcome::not_compiled)})) == "not compiled");
    BOOST_TEST(state_of(make_part("f", 1, {make_check("a", Outcome::missing)})) == "missing");
}

BOOST_AUTO_TEST_CASE(a_share_is_between_0_and_1) {
    BOOST_TEST(share_of({3, 4}) == 0.75);
    BOOST_TEST(share_of({5, 4}) == 1);
    BOOST_TEST(share_of({-1, 4}) == 0);
    BOOST_TEST(share_of({0, 0}) == 0);
    BOOST_TEST(finite(kNan) == 0);
    BOOST_TEST(finite(-kInf) == 0);
    BOOST_TEST(finite(2.5) == 2.5);
}

BOOST_AUTO_TEST_CASE(a_file_is_a_path_if_the_submission_is_a_folder) {
    Report report = golden();
    const Assignment& assignment = report.assignments.at(0);
    const auto of = [&](const std::string& submission) {
        report.submission = submission;
        return file_of(report, assignment);
    };
    BOOST_TEST(of("student") == "student/self_attention.cpp");
    BOOST_TEST(of("a/b/") == "a/b/self_attention.cpp");
    for (const char* archive : {"a/work.zip", "work.tar.gz", "work.tgz", "work.tar", ""})
        BOOST_TEST(of(archive) == "self_attention.cpp");
    report.assignments.at(0).sources.at(0).exists = false;
    BOOST_TEST(of("student") == "student/extra.cpp");
    report.assignments.at(0).sources.at(1).exists = false;
    BOOST_TEST(of("student") == "");
}

BOOST_AUTO_TEST_CASE(what_the_smallest_case_printed_stands_beside_its_numbers) {
    Check check = make_wrong("a");
    check.smallest =
        SmallestCase{"N=1", {{"X", {1}, {1}}}, {{"Y", {1}, {3}}}, {{"Y", {1}, {2}}}, {{"E", {1}, {5}}}};
    check.printed = "many numbers";
    const auto text = [&check] {
        return plain_text(describe(Report(), make_part("f", 1, {check}), check, 80));
    };
    BOOST_TEST(contains(text(), "In case a it printed:\n  | many numbers\n"), text());
    check.smallest->printed = "E [1]\n  7";
    BOOST_TEST(contains(text(), "On the way a right solution computes:\n  E "), text());
    BOOST_TEST(contains(text(), "For this case your code printed:\n  | E [1]\n  |   7\n"), text());
    BOOST_TEST(!contains(text(), "many numbers"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
