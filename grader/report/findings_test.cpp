// What to work on, and in which order.

#include "grader/report/findings.h"

#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "grader/testing/golden.h"

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(findings)

/// An assignment of one part of each kind; `number` and `title` tell the assignments apart.
Assignment assignment_of(int number, std::vector<Part> parts) {
    Assignment assignment = make_report(std::move(parts)).assignments.front();
    assignment.number = number;
    assignment.title = "Title " + std::to_string(number);
    return assignment;
}

Check slow(double points) {
    Check check = make_speed();
    check.points = points;
    return check;
}

Check kernel(const std::string& name, Outcome outcome, const std::string& message = "") {
    Check check = make_check("cuda_" + name, outcome, message);
    check.kind = CheckKind::cuda;
    return check;
}

/// "slow attention" for each finding.
std::vector<std::string> in_order(const Report& report) {
    std::vector<std::string> all;
    for (const Finding& finding : findings_of(report))
        all.push_back(std::string(kFindingKindNames.at(static_cast<std::size_t>(finding.kind))) + " " +
                      finding.subject);
    return all;
}

BOOST_AUTO_TEST_CASE(what_fails_comes_in_the_order_of_the_course_then_what_is_missing_then_what_is_slow) {
    Report report = make_report({});
    report.submission = "student";
    const Check right = make_check("ragged", Outcome::passed);
    Check stub = make_check("ragged", Outcome::not_implemented);
    report.assignments = {
        assignment_of(1, {make_part("decode", 4, {right, slow(0)}), make_part("later", 5, {stub})}),
        assignment_of(2, {make_part("softmax", 1, {make_wrong("tall")}), make_part("attention", 2, {right})}),
        assignment_of(3, {make_part("split", 1, {make_wrong("a"), make_wrong("b")}),
                          make_part("merge", 2, {make_check("c", Outcome::crashed, "It read.")}),
                          make_part("loop", 3,
                                    {make_check("e", Outcome::timed_out, "It ran."),
                                     make_check("f", Outcome::skipped, "Not run.")})}),
        assignment_of(4, {make_part("mask", 1, {stub})}),
        assignment_of(5, {make_part("norm", 1, {make_check("d", Outcome::not_compiled)})})};
    report.assignments[4].sources = {{"block.cpp", true, false, "block.cpp:41:18: error: no ';'\nmore"}};
    const std::vector<std::string> expected = {"not_compiled block.cpp", "wrong softmax",  "wrong split",
                                               "crashed merge",          "timed_out loop", "missing later",
                                               "missing Title 4",        "slow decode"};
    BOOST_TEST(in_order(report) == expected, boost::test_tools::per_element());
    const auto findings = findings_of(report);
    BOOST_TEST(findings.at(0).what == "does not compile: no ';'");
    BOOST_TEST(findings.at(0).place == "block.cpp:41");
    BOOST_TEST(findings.at(0).cost == 2.5);
    BOOST_TEST(findings.at(2).cost == 5);
    BOOST_TEST(findings.at(2).what == "exp is left out");
    BOOST_TEST(findings.at(4).what == "It ran");
    BOOST_TEST(findings.at(4).cost == 5);
    BOOST_TEST(counts_of(findings) ==
               "does not compile, 1 stopped early, 1 timed out, 2 wrong, 2 to write, 1 slow");
    BOOST_TEST(next_step(report).value() == "make block.cpp compile. Then: make grade A=5");
    report.assignments.erase(report.assignments.begin() + 1, report.assignments.end());
    BOOST_TEST(next_step(report).value() ==
               "write later (assignments/02_self_attention/README.md, step 5). Then: make grade A=1");
    report.assignments.front().parts.pop_back();
    BOOST_TEST(next_step(report).value() ==
               "speed up decode (assignments/02_self_attention/README.md, step 4). Then: make grade A=1");
}

BOOST_AUTO_TEST_CASE(a_crash_beside_a_named_cause_is_perhaps_the_same_mistake) {
    const Check crash = make_check("tall", Outcome::crashed, "It read before the start of W.");
    Check wrong = make_wrong("wide");
    const auto told = [&] {
        std::vector<std::string> texts;
        const Report report = make_report({make_part("softmax", 1, {crash, wrong})});
        for (const Finding& finding : findings_of(report)) texts.push_back(finding.what);
        return texts;
    };
    const std::string same = ", perhaps because of the same mistake";
    BOOST_REQUIRE(wrong.diagnosis.has_value());
    BOOST_TEST_REQUIRE(told().size() == 2U);
    BOOST_TEST(!told().at(0).ends_with(same));
    BOOST_TEST(told().at(1).ends_with(same));
    wrong.diagnosis.reset();
    for (const std::string& text : told()) BOOST_TEST(!text.ends_with(same));
}

BOOST_AUTO_TEST_CASE(a_named_cause_comes_before_the_crash_of_the_same_function) {
    const Check crash = make_check("tall", Outcome::crashed, "It read before the start of W.");
    const Report report = make_report({make_part("softmax", 1, {crash, make_wrong("wide")})});
    const std::vector<std::string> expected = {"wrong softmax", "crashed softmax"};
    BOOST_TEST(in_order(report) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(refusals_that_do_not_count_yet_belong_to_what_is_wrong_elsewhere) {
    const Check refuses = make_check("odd", Outcome::wrong, std::string(kRefusesEverything));
    const Check crash = make_check("tall", Outcome::crashed, "It read before the start of W.");
    const Report both = make_report({make_part("softmax", 1, {refuses, crash})});
    BOOST_TEST_REQUIRE(findings_of(both).size() == 1U);
    BOOST_TEST(findings_of(both).front().what == "It read before the start of W");
    BOOST_TEST(findings_of(both).front().cost == 5);
    const Report alone = make_report({make_part("softmax", 1, {refuses})});
    BOOST_TEST_REQUIRE(findings_of(alone).size() == 1U);
    BOOST_TEST(findings_of(alone).front().cost == 2.5);
}

BOOST_AUTO_TEST_CASE(a_refusal_that_is_missing_is_another_mistake_than_wrong_numbers) {
    const auto refusal = [](const std::string& name) {
        return make_check(
            name, Outcome::wrong,
            "2 does not divide H = 5: for such sizes " + std::string(kMustThrow) + " It returned normally.");
    };
    const Report report = make_report(
        {make_part("merge", 1, {make_wrong("tall"), refusal("odd_rows"), refusal("odd_columns")})});
    const std::vector<Finding> findings = findings_of(report);
    BOOST_TEST_REQUIRE(findings.size() == 2U);
    BOOST_TEST(findings[0].cost == 2.5);
    BOOST_TEST(findings[1].cost == 5);
    BOOST_TEST(findings[1].what ==
               "2 does not divide H = 5: for such sizes it must throw std::invalid_argument");
}

BOOST_AUTO_TEST_CASE(a_refusal_that_is_missing_because_of_the_named_mistake_belongs_to_it) {
    Check refusal =
        make_check("odd", Outcome::wrong,
                   "y(1) is 4: for such numbers " + std::string(kMustThrow) + " It returned normally.");
    const Check wrong = make_wrong("tall");
    refusal.diagnosis = wrong.diagnosis;
    const std::vector<Finding> findings = findings_of(make_report({make_part("step", 1, {refusal, wrong})}));
    BOOST_TEST_REQUIRE(findings.size() == 1U);
    BOOST_TEST(findings[0].cost == 5);
    BOOST_TEST(findings[0].check->name == "tall");
}

BOOST_AUTO_TEST_CASE(speed_that_waits_belongs_to_the_mistake_for_which_it_waits) {
    Check waits = make_speed();
    waits.outcome = Outcome::skipped;
    waits.speed.reset();
    waits.points = 0;
    waits.message = "Not measured: first the numbers have to be right.";
    const Report wrong = make_report({make_part("softmax", 1, {make_wrong("tall"), waits})});
    BOOST_TEST_REQUIRE(findings_of(wrong).size() == 1U);
    BOOST_TEST(findings_of(wrong).front().cost == 5);
    waits.message = "Not measured: first split_heads has to be right.";
    const Report right = make_report({make_part("softmax", 1, {make_check("tall", Outcome::passed), waits})});
    BOOST_TEST_REQUIRE(findings_of(right).size() == 1U);
    BOOST_TEST((findings_of(right).front().kind == FindingKind::waiting));
    BOOST_TEST(findings_of(right).front().what == "Not measured: first split_heads has to be right");
    BOOST_TEST(counts_of(findings_of(right)).empty());
    BOOST_TEST(!next_step(right).has_value());
}

BOOST_AUTO_TEST_CASE(periods_inside_of_a_formula_end_no_sentence) {
    Check refusal = make_wrong("unknown");
    refusal.diagnosis.reset();
    refusal.message = "target(1, 2) is 5, outside 0 .. 4, and q . k is 3. It must throw.";
    const Report wrong = make_report({make_part("softmax", 1, {refusal})});
    BOOST_TEST(findings_of(wrong).front().what ==
               "target(1, 2) is 5, outside 0 .. 4, and q . k is 3 (case unknown)");
    Check missing = make_check("a", Outcome::missing);
    missing.message = "It calls attn::softmax(int), which none of the files that compiled defines.";
    const Report calls = make_report({make_part("norm", 1, {missing})});
    BOOST_TEST(findings_of(calls).front().what ==
               "It calls attn::softmax(int), which none of the files that compiled defines");
}

BOOST_AUTO_TEST_CASE(kernels_without_their_function_are_a_finding_of_their_own) {
    const Part part = make_part("softmax", 1,
                                {make_check("tall", Outcome::not_implemented),
                                 kernel("tall", Outcome::kernel_error, "Race at softmax.cu:53: thread 1."),
                                 kernel("wide", Outcome::passed)});
    BOOST_TEST(!not_started(part));
    const std::vector<std::string> expected = {"wrong the kernels of softmax", "missing softmax"};
    const Report report = make_report({part});
    BOOST_TEST(in_order(report) == expected, boost::test_tools::per_element());
    BOOST_TEST(findings_of(report).front().place == "softmax.cu:53");
    BOOST_TEST(next_step(report).value().starts_with("fix the kernels of softmax at softmax.cu:53 ("));
}

BOOST_AUTO_TEST_CASE(a_perfect_report_has_no_findings) {
    const Report report = make_report({make_part("softmax", 1, {make_check("tall", Outcome::passed)})});
    BOOST_TEST(findings_of(report).empty());
    BOOST_TEST(!next_step(report).has_value());
}

BOOST_AUTO_TEST_CASE(the_next_step_is_split_into_a_sentence_and_a_command) {
    const NextStep next = split_next_step("fix softmax (x, step 1). Then: make grade A=2 SUBMISSION='a b'");
    BOOST_TEST(next.what == "fix softmax (x, step 1).");
    BOOST_TEST(next.command == "make grade A=2 SUBMISSION='a b'");
    BOOST_TEST(split_next_step("nothing left to do here. Well done.").what ==
               "nothing left to do here. Well done.");
}

BOOST_AUTO_TEST_CASE(a_cause_is_taken_out_of_its_sentence) {
    BOOST_TEST(cause_in({{}, "Your output is exactly what comes out when exp is left out.", {}}) ==
               "exp is left out");
    BOOST_TEST(cause_in({{}, "It is one of these:\n- one is missing\n- two are there", {}}) ==
               "one is missing, or another cause");
    BOOST_TEST(cause_in({{}, "Something else. And more.", {}}) == "Something else");
    BOOST_TEST(cause_in({{},
                         "Your output is exactly what comes out after one change in a = exp(e): e(j) - m has "
                         "the wrong sign.",
                         {}}) == "one change in a = exp(e): e(j) - m has the wrong sign");
    BOOST_TEST(cause_in({{},
                         "Your output is exactly what comes out after one change in a = sum_{j: m = 1} e(j): "
                         "1 stands where 0 belongs.",
                         {}}) == "one change in a = sum_{j: m = 1} e(j): 1 stands where 0 belongs");
    BOOST_TEST(cause_in({{}, "Your output is exactly what comes out after one change in Y = A V.", {}}) ==
               "one change in Y = A V");
}

BOOST_AUTO_TEST_CASE(a_crash_stands_at_its_innermost_line) {
    const auto what_of_missing = [](const std::string& message) {
        return findings_of(
                   make_report({make_part("softmax", 1, {make_check("a", Outcome::missing, message)})}))
            .front()
            .what;
    };
    BOOST_TEST(what_of_missing("There is no such function.") == "There is no such function");
    BOOST_TEST(what_of_missing("There is no such function. a.cpp has sofmax. Is softmax meant?") ==
               "a.cpp has sofmax. Is softmax meant?");
    Check crashed = make_check("tall", Outcome::crashed, "It read at address 0.");
    crashed.lines =
        SourceTrace{"", {{"softmax.cpp", 61, "row", "x = *p;"}, {"softmax.cpp", 70, "softmax", "row(i);"}}};
    BOOST_TEST(findings_of(make_report({make_part("softmax", 1, {crashed})})).front().place ==
               "softmax.cpp:61");
}

BOOST_AUTO_TEST_CASE(a_place_is_a_file_and_a_line) {
    BOOST_TEST(place_in("/tmp/a/soft_max.cpp:41:18: error") == "soft_max.cpp:41");
    BOOST_TEST(place_in("Race at x.cu:53: thread") == "x.cu:53");
    BOOST_TEST(place_in("in x.cpp: nothing, .cpp:7, x.cpp").empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
