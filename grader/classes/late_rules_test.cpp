#include "grader/classes/late_rules.h"

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "grader/base/installation.h"
#include "grader/classes/moments.h"

namespace attn::classes {
namespace {

BOOST_AUTO_TEST_SUITE(late_rules)

const Person kAnna{"12", "Anna Meyer", "anna@x.org", "ameyer", ""};

ExerciseRules rules_due(const char* due) {
    ExerciseRules rules;
    rules.assignment = 2;
    rules.due = read_moment(due);
    rules.grace_minutes = 15;
    rules.percent_a_day = 10;
    rules.most_days = 3;
    return rules;
}

Mark mark_at(const ExerciseRules& rules, const char* when, double raw = 71.5) {
    return mark_of(rules, kAnna, {read_moment(when)}, raw, 100);
}

BOOST_AUTO_TEST_CASE(the_explanation_is_the_whole_computation) {
    const ExerciseRules rules = rules_due("2026-11-20T23:59:00+01:00");
    BOOST_TEST(mark_at(rules, "2026-11-20T20:00Z").explanation == "71.5 of 100");
    const Mark late = mark_at(rules, "2026-11-22T10:00Z");
    BOOST_TEST(late.explanation == "71.5 of 100, 2 days late: 10 % a day, 14.3 off, 57.2");
    const std::string page = data::read_file(Installation().sources / "grader/classes/README.md");
    BOOST_TEST(page.find('"' + late.explanation + '"') != std::string::npos);
    BOOST_TEST(late.days_late == 2);
    BOOST_TEST(late.penalty == 14.3);
    BOOST_TEST(late.final == 57.2);
    BOOST_TEST(late.raw == 71.5);
}

BOOST_AUTO_TEST_CASE(grace_ends_to_the_second_and_days_count_from_the_due_time) {
    const ExerciseRules rules = rules_due("2026-11-20T23:00:00Z");
    BOOST_TEST(mark_at(rules, "2026-11-20T23:00:00Z").explanation == "71.5 of 100");
    BOOST_TEST(mark_at(rules, "2026-11-20T23:15:00Z").explanation ==
               "71.5 of 100, late by less than the 15 minutes of grace");
    BOOST_TEST(mark_at(rules, "2026-11-20T23:15:01Z").days_late == 1);
    BOOST_TEST(mark_at(rules, "2026-11-21T23:00:00Z").days_late == 1);
    BOOST_TEST(mark_at(rules, "2026-11-21T23:00:01Z").days_late == 2);
}

BOOST_AUTO_TEST_CASE(what_says_the_time_is_part_of_the_explanation_where_it_may_be_wrong) {
    const ExerciseRules rules = rules_due("2026-11-20T23:00:00Z");
    const Moment late = read_moment("2026-11-22T10:00Z");
    const auto mark = [&](const HandInTime& time) { return mark_of(rules, kAnna, time, 71.5, 100); };
    const std::string computed = "71.5 of 100, 2 days late: 10 % a day, 14.3 off, 57.2";
    BOOST_TEST(mark({late, TimeSource::platform}).explanation == computed);
    BOOST_TEST(mark({late, TimeSource::table}).explanation == computed);
    BOOST_TEST(mark({late, TimeSource::commit}).explanation ==
               computed + "; by the time of its last commit, which students can set");
    BOOST_TEST(mark({late - 172800, TimeSource::files}).explanation ==
               "71.5 of 100; by the time of its files, which students can set");
    BOOST_TEST(mark({late, TimeSource::person, false, "the server was down"}).explanation ==
               computed + "; handed in 2026-11-22T10:00:00Z (a correction: the server was down)");
    // Without a due time none of this matters.
    BOOST_TEST(mark_of({}, kAnna, {late, TimeSource::commit}, 71.5, 100).explanation == "71.5 of 100");
}

BOOST_AUTO_TEST_CASE(without_a_time_only_those_are_late_whom_the_platform_marks) {
    ExerciseRules rules = rules_due("2026-11-20T23:00:00Z");
    const Moment taken_in = read_moment("2026-11-23T10:00Z");
    const HandInTime unknown{taken_in, TimeSource::unknown, false},
        marked{taken_in, TimeSource::unknown, true};
    const Mark mark = mark_of(rules, kAnna, unknown, 71.5, 100);
    BOOST_TEST(mark.final == 71.5);
    BOOST_TEST(mark.explanation == "71.5 of 100; not late, because its time is not known");
    const Mark late = mark_of(rules, kAnna, marked, 71.5, 100);
    BOOST_TEST(late.days_late == 1);
    BOOST_TEST(late.explanation ==
               "71.5 of 100, 1 day late (the platform calls it late, but does not say by how "
               "much): 10 % a day, 7.15 off, 64.35");
    // The platform need not know of an extension.
    rules.extensions.push_back({kAnna.email, *rules.due + 86400, "ill"});
    BOOST_TEST(mark_of(rules, kAnna, marked, 71.5, 100).final == 71.5);
    // A platform's time is better than its mark.
    BOOST_TEST(mark_of(rules, {}, {*rules.due - 1, TimeSource::platform, true}, 71.5, 100).final == 71.5);
}

BOOST_AUTO_TEST_CASE(zones_do_not_matter) {
    const ExerciseRules rules = rules_due("2026-11-20T23:59:00+01:00");
    for (const char* when :
         {"2026-11-20T22:59:00Z", "2026-11-21T07:59:00+09:00", "2026-11-20T14:59:00-08:00"})
        BOOST_TEST(mark_at(rules, when).days_late == 0, when);
    BOOST_TEST(mark_at(rules, "2026-11-21T00:30:00+01:00").days_late == 1);
}

BOOST_AUTO_TEST_CASE(after_the_last_day_there_are_no_points) {
    const ExerciseRules rules = rules_due("2026-11-20T23:00:00Z");
    BOOST_TEST(mark_at(rules, "2026-11-23T23:00:00Z").final == 50.05);
    const Mark later = mark_at(rules, "2026-11-23T23:00:01Z");
    BOOST_TEST(later.final == 0);
    BOOST_TEST(later.explanation == "71.5 of 100, 4 days late: after 3 days there are no points, 0");
}

BOOST_AUTO_TEST_CASE(never_less_than_nothing) {
    ExerciseRules rules = rules_due("2026-11-20T23:00:00Z");
    rules.percent_a_day = 40;
    rules.most_days = 0;
    BOOST_TEST(mark_at(rules, "2026-12-20T23:00:00Z").final == 0);
}

BOOST_AUTO_TEST_CASE(an_extension_is_for_one_person_and_is_explained) {
    ExerciseRules rules = rules_due("2026-11-20T23:00:00Z");
    rules.extensions = {{"anna@x.org", read_moment("2026-11-22T23:00:00Z"), "ill"}};
    const Mark in_time = mark_at(rules, "2026-11-22T10:00Z");
    BOOST_TEST(in_time.final == 71.5);
    BOOST_TEST(in_time.explanation == "71.5 of 100; extended to 2026-11-22T23:00:00Z (ill)");
    BOOST_TEST(mark_at(rules, "2026-11-23T10:00Z").days_late == 1);
    const Person other{"13", "Ben", "ben@x.org", "", ""};
    BOOST_TEST(mark_of(rules, other, {read_moment("2026-11-22T10:00Z")}, 71.5, 100).days_late == 2);
    for (const char* who : {"12", "ameyer", "Anna Meyer"}) {
        rules.extensions[0].who = who;
        BOOST_TEST(mark_at(rules, "2026-11-22T10:00Z").final == 71.5, who);
    }
    // Nothing of a person is empty by agreement.
    rules.extensions[0].who = "";
    BOOST_TEST(mark_at(rules, "2026-11-22T10:00Z").days_late == 2);
}

BOOST_AUTO_TEST_CASE(marks_have_two_decimals_and_ties_go_up) {
    BOOST_TEST(rounded_mark(2.675) == 2.68);
    BOOST_TEST(rounded_mark(47.714) == 47.71);
    BOOST_TEST(rounded_mark(100.0 / 3) == 33.33);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::classes
