#include "grader/report/recorded.h"

#include <cmath>

#include <boost/test/unit_test.hpp>

#include "datasets/says.h"
#include "grader/report/golden.h"
#include "grader/report/json.h"

namespace attn::report {
namespace {

using data::says;

BOOST_AUTO_TEST_SUITE(recorded)

BOOST_AUTO_TEST_CASE(a_check_is_found_again) {
    Report report = golden();
    report.assignments[0].parts[0].stand_ins = {"f", "g"};
    report.assignments[0].parts[0].checks[1].diagnosis->mistakes = {"no_exp", "a+b"};
    const Recorded found = find_recorded(to_json(report), "2.softmax.tall");
    BOOST_TEST(found.id == "2.softmax.tall");
    BOOST_TEST(found.assignment == 2);
    BOOST_TEST(found.function == "softmax");
    BOOST_TEST(found.name == "tall");
    BOOST_TEST(found.kind == "numeric");
    BOOST_TEST(found.message == "Every row of Y is off.");
    BOOST_TEST(found.seed == 2026U);
    BOOST_TEST((found.stand_ins == std::vector<std::string>{"f", "g"}));
    BOOST_TEST((found.mistakes == std::vector<std::vector<std::string>>{{"no_exp"}, {"a", "b"}}));
    BOOST_TEST(find_recorded(to_json(report), "2.softmax.one_row").mistakes.empty());
}

BOOST_AUTO_TEST_CASE(what_was_measured_is_read_again) {
    const std::string text = to_json(golden());
    BOOST_TEST(!find_recorded(text, "2.softmax.tall").measured.has_value());
    const Recorded slow = find_recorded(text, "2.attention.speed");
    const Check& check = slow.measured.value();
    const Check due = make_speed();
    BOOST_TEST((check.outcome == Outcome::slow));
    BOOST_TEST(check.about == due.about);
    BOOST_TEST(check.max_points == 2.5);
    BOOST_TEST(check.speed->sizes == due.speed->sizes);
    BOOST_TEST(check.speed->yours_ms == due.speed->yours_ms);
    BOOST_TEST(check.speed->plain_ms == due.speed->plain_ms);
    BOOST_TEST(check.speed->yardstick_ms == due.speed->yardstick_ms);
    BOOST_TEST(check.speed->gflop == due.speed->gflop);
    BOOST_TEST(check.speed->times_plain.high == due.speed->times_plain.high);
    BOOST_TEST(check.speed->times_yardstick.low == due.speed->times_yardstick.low);
    BOOST_TEST(check.speed->scale.size() == 2U);
    BOOST_TEST(check.speed->scale.at(1).times_plain == due.speed->scale.at(1).times_plain);
    BOOST_TEST(check.speed->share == due.speed->share);
    BOOST_TEST(check.speed->settled == due.speed->settled);
    BOOST_TEST(check.speed->workers == due.speed->workers);
    BOOST_TEST(check.speed->hint.starts_with("Which array"));
    const Recorded grown = find_recorded(text, "2.attention.growth");
    BOOST_REQUIRE(grown.measured->growth.size() == 2U);
    const Growth& time = grown.measured->growth.at(0);
    BOOST_TEST(time.what == "time");
    BOOST_TEST(time.length == "N_q = N_k");
    BOOST_TEST((time.lengths == std::vector<int>{64, 128, 512}));
    BOOST_TEST(time.values.at(1) == 2);
    BOOST_TEST(std::isnan(time.values.at(2)));
    BOOST_TEST(time.exponent.value == 2.96);
    BOOST_TEST(time.allowed == 2.2);
}

BOOST_AUTO_TEST_CASE(a_name_that_is_not_there_is_answered_with_those_that_failed) {
    BOOST_CHECK_EXCEPTION(find_recorded(to_json(golden()), "2.softmax.nobody"), NotRecorded,
                          says({"'2.softmax.nobody'", "\n  2.softmax.tall", "\n  2.softmax.overflow"}));
    BOOST_CHECK_EXCEPTION(find_recorded(to_json(make_report({})), "x"), NotRecorded,
                          says({"nothing in it failed"}));
}

BOOST_AUTO_TEST_CASE(what_is_no_report_is_refused) {
    BOOST_CHECK_EXCEPTION(find_recorded("no json", "x"), NotRecorded, says({"no JSON", "--json FILE"}));
    BOOST_CHECK_EXCEPTION(find_recorded("[1, 2]", "x"), NotRecorded, says({"no report", "--json FILE"}));
    BOOST_CHECK_EXCEPTION(find_recorded("{\"schema_version\": 99}", "x"), NotRecorded,
                          says({"version 99", "version 1", "grade again"}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
