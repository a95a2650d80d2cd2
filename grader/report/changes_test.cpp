#include "grader/report/changes.h"

#include <sstream>

#include <boost/test/unit_test.hpp>

#include "grader/report/text.h"
#include "grader/testing/golden.h"

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(changes)

using Direction = Change::Direction;

Check& check_of(Report& report, std::size_t part, std::size_t check) {
    return report.assignments.at(0).parts.at(part).checks.at(check);
}

std::vector<std::string> changes_in(const Changes& found, Direction direction) {
    std::vector<std::string> what;
    for (const Change& change : found.checks)
        if (change.direction == direction) what.push_back(change.what);
    return what;
}

std::string written(const Changes& found, bool colour = false) {
    std::ostringstream out;
    write_changes(out, found, colour);
    return out.str();
}

using Sentences = std::vector<std::string>;

BOOST_AUTO_TEST_CASE(a_report_equals_itself) {
    const Changes none = attn::report::changes(golden(), golden());
    BOOST_TEST(none.checks.empty());
    BOOST_TEST(none.notes.empty());
    BOOST_TEST(contains(written(none), "\nNo check has a different result.\n"));
}

BOOST_AUTO_TEST_CASE(a_check_that_passes_now_is_better_and_one_that_fails_now_is_worse) {
    Report before = golden(), after = golden();
    check_of(after, 0, 1) = make_check("tall", Outcome::passed);
    check_of(after, 0, 0) = make_check("one_row", Outcome::crashed, "It crashed.");
    check_of(after, 1, 0) = make_check("ragged", Outcome::wrong, "Wrong.");
    check_of(after, 1, 0).id = check_of(before, 1, 0).id;
    const Changes found = attn::report::changes(before, after);
    BOOST_TEST(changes_in(found, Direction::better) ==
                   (Sentences{"2.softmax.tall: wrong (no_exp) -> passed",
                              "2.self_attention.ragged: not implemented -> wrong"}),
               boost::test_tools::per_element());
    BOOST_TEST(changes_in(found, Direction::worse) == (Sentences{"2.softmax.one_row: passed -> crashed"}),
               boost::test_tools::per_element());
    BOOST_TEST(found.any(Direction::worse));
    BOOST_TEST(!attn::report::changes(before, before).any(Direction::worse));
}

BOOST_AUTO_TEST_CASE(gains_count_points_and_checks_but_no_speed) {
    Report before = golden(), after = golden();
    BOOST_TEST(gains(before, after) == "nothing changed");
    Check& tall = check_of(after, 0, 1);
    const double points = tall.points;
    tall = make_check("tall", Outcome::passed);
    tall.points = points + 2.25;
    check_of(after, 0, 0) = make_check("one_row", Outcome::crashed, "It crashed.");
    check_of(after, 0, 0).points = check_of(before, 0, 0).points;
    for (Check& check : after.assignments.at(0).parts.at(2).checks)
        if (!is_correctness_check(check)) check.points += 100;
    BOOST_TEST(gains(before, after) == "+2.25 points, 1 check better, 1 worse");
    BOOST_TEST(gains(after, before) == "-2.25 points, 1 check better, 1 worse");
    after.seed.reset();
    BOOST_TEST(gains(before, after).empty());
    after = before;
    after.submission += " of somebody else";
    BOOST_TEST(gains(before, after).empty());
}

BOOST_AUTO_TEST_CASE(another_mistake_is_a_change_but_neither_better_nor_worse) {
    Report after = golden();
    check_of(after, 0, 1).diagnosis->mistakes = {"no_max"};
    const Changes found = attn::report::changes(golden(), after);
    BOOST_TEST(changes_in(found, Direction::other) ==
                   (Sentences{"2.softmax.tall: wrong (no_exp) -> wrong (no_max)"}),
               boost::test_tools::per_element());
    BOOST_TEST(found.checks.size() == 1U);
}

BOOST_AUTO_TEST_CASE(speed_has_changed_if_the_intervals_do_not_overlap) {
    Report faster = golden();
    check_of(faster, 2, 1).speed->times_plain = {6.5, 6.4, 6.7};  // 6.1 to 6.6 before
    BOOST_TEST(attn::report::changes(golden(), faster).checks.empty());
    check_of(faster, 2, 1).speed->times_plain = {8, 7.5, 8.5};
    check_of(faster, 2, 1).points = 2;
    const Sentences better = changes_in(attn::report::changes(golden(), faster), Direction::better);
    BOOST_TEST(
        better == (Sentences{"2.attention.speed: slow, 6.25 times the plain loops, 1.5 points -> slow, 8 "
                             "times the plain loops, 2 points"}),
        boost::test_tools::per_element());
    BOOST_TEST(changes_in(attn::report::changes(faster, golden()), Direction::worse).size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_check_of_only_one_report_is_neither_better_nor_worse) {
    Report after = golden();
    check_of(after, 0, 1).id = "2.softmax.new";
    const Changes found = attn::report::changes(golden(), after);
    BOOST_TEST(changes_in(found, Direction::other) ==
                   (Sentences{"2.softmax.new: new, wrong (no_exp)",
                              "2.softmax.tall: no longer checked, was wrong (no_exp)"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(points_and_reasons_against_comparing_are_shown) {
    Report before = golden(), after = golden();
    after.assignments.at(0).points = 9;
    after.assignments.at(0).parts.at(0).points = 5;
    after.seed = 7;
    after.submission = "another";
    const std::string text = written(attn::report::changes(before, after));
    BOOST_TEST(contains(text, "note: the reports are of two submissions: work of?[2J ? and another\n"));
    BOOST_TEST(contains(text, "note: the seeds differ"));
    BOOST_TEST(contains(
        text, "\n2  Self-attention                                   6.5 ->      9 / 27.5   +2.5\n"));
    BOOST_TEST(
        contains(text, "\n   softmax                                          2.5 ->      5 / 15   +2.5\n"));
    BOOST_TEST(!contains(text, "self_attention  "));
    BOOST_TEST(clean(text) == text);
    BOOST_TEST(contains(written(attn::report::changes(after, before), true), "\x1b[31m   -2.5\x1b[0m"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
