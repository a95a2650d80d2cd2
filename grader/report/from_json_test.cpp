#include <cmath>

#include <boost/test/unit_test.hpp>

#include "datasets/files/message_contains.h"
#include "grader/report/json.h"
#include "grader/testing/golden.h"

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(from_json)

using data::message_contains;

BOOST_AUTO_TEST_CASE(a_report_survives_a_round_trip) {
    Report report = golden();
    report.assignments[0].parts[0].stand_ins = {"f", "g"};
    report.assignments[0].parts[0].race_charged_at = "f";
    report.assignments[0].parts[0].added_barriers = {{53, true, "a.cu"}};
    report.assignments[0].total_always = false;
    report.assignments[0].parts[0].builds_on = {"h"};
    report.path = {{2, "Homework 1: Self-attention", "assignments/02_self_attention/README.md", {1}, false},
                   {7, "Much more", "", {}, true}};
    const std::string text = to_json(report);
    BOOST_TEST(to_json(attn::report::from_json(text)) == text);
    BOOST_TEST((attn::report::from_json(text).path == report.path));
    report.seed.reset();
    BOOST_TEST(contains(to_json(report), "\"seed\": null"));
    BOOST_TEST(!attn::report::from_json(to_json(report)).seed.has_value());
}

BOOST_AUTO_TEST_CASE(null_is_read_as_nan) {
    const Report back = attn::report::from_json(to_json(golden()));
    const auto& parts = back.assignments.at(0).parts;
    const std::vector<Growth>& growth = parts.at(2).checks.at(2).growth;
    BOOST_TEST(std::isnan(growth.at(0).values.at(2)));
    BOOST_TEST(std::isnan(parts.at(0).checks.at(3).difference->yours));
}

BOOST_AUTO_TEST_CASE(text_that_is_no_report_is_refused) {
    using attn::report::from_json;
    BOOST_CHECK_EXCEPTION(from_json("no json"), UserError, message_contains({"no JSON", "--json FILE"}));
    BOOST_CHECK_EXCEPTION(from_json("[1, 2]"), UserError, message_contains({"no report", "--json FILE"}));
    BOOST_CHECK_EXCEPTION(from_json("{\"schema_version\": 99}"), UserError,
                          message_contains({"version 99", "version 2", "grade again"}));
    std::string text = to_json(golden());
    text.replace(text.find("\"not_finite\""), 12, "\"not_finished\"");
    BOOST_CHECK_EXCEPTION(from_json(text), UserError, message_contains({"'not_finished'", "grade again"}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
