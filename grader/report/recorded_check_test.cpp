#include "grader/report/recorded_check.h"

#include <boost/test/unit_test.hpp>

#include "datasets/files/message_contains.h"
#include "grader/testing/golden.h"

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(recorded_check)

using data::message_contains;

BOOST_AUTO_TEST_CASE(a_check_is_found_by_its_id) {
    Report report = golden();
    report.assignments[0].parts[0].stand_ins = {"f", "g"};
    report.assignments[0].parts[0].checks[1].diagnosis->mistakes = {"no_exp", "a+b"};
    const RecordedCheck found = find_recorded_check(report, "2.softmax.tall");
    BOOST_TEST(found.check.id == "2.softmax.tall");
    BOOST_TEST(found.assignment == 2);
    BOOST_TEST(found.function == "softmax");
    BOOST_TEST(found.check.name == "tall");
    BOOST_TEST((found.check.kind == CheckKind::numeric));
    BOOST_TEST(found.check.message == "Every row of Y is off.");
    BOOST_TEST(found.seed == 2026U);
    BOOST_TEST((found.stand_ins == std::vector<std::string>{"f", "g"}));
    BOOST_TEST((found.mistakes == std::vector<std::vector<std::string>>{{"no_exp"}, {"a", "b"}}));
    BOOST_TEST(find_recorded_check(report, "2.softmax.one_row").mistakes.empty());
}

BOOST_AUTO_TEST_CASE(an_unknown_id_is_refused_with_a_list_of_the_failed_checks) {
    BOOST_CHECK_EXCEPTION(
        find_recorded_check(golden(), "2.softmax.unknown"), CannotReplay,
        message_contains({"'2.softmax.unknown'", "\n  2.softmax.tall", "\n  2.softmax.overflow"}));
    BOOST_CHECK_EXCEPTION(find_recorded_check(make_report({}), "x"), CannotReplay,
                          message_contains({"No check in it failed"}));
    BOOST_CHECK_EXCEPTION(recorded_check_in("no_such_report.json", "2.softmax.tall"), CannotReplay,
                          message_contains({"there is no report yet", "make grade A=2"}));
    Check waits = make_speed();
    waits.outcome = Outcome::skipped;
    BOOST_CHECK_EXCEPTION(find_recorded_check(make_report({make_part("softmax", 1, {waits})}), "x"),
                          CannotReplay, message_contains({"No check in it failed"}));
    BOOST_CHECK_EXCEPTION(find_recorded_check(golden(), "2.softmax.tal"), CannotReplay,
                          message_contains({"Did you mean 2.softmax.tall?"}));
    BOOST_CHECK_EXCEPTION(find_recorded_check(golden(), "13.softmax.tall"), CannotReplay,
                          message_contains({"it has no assignment 13", "make grade A=13"}));
}

BOOST_AUTO_TEST_CASE(a_check_whose_inputs_are_hidden_is_not_replayed) {
    Report report = golden();
    report.assignments[0].parts[0].checks[1].disclosure = Disclosure::category;
    BOOST_CHECK_EXCEPTION(find_recorded_check(report, "2.softmax.tall"), CannotReplay,
                          message_contains({"'2.softmax.tall'", "not shown", "make grade"}));
    BOOST_TEST(find_recorded_check(report, "2.softmax.long").seed == 2026U);
    report.seed.reset();
    BOOST_CHECK_THROW(find_recorded_check(report, "2.softmax.long"), CannotReplay);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
