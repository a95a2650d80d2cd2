#include <cmath>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "grader/report/platforms/base64.h"
#include "grader/report/platforms/formats.h"
#include "grader/report/platforms/heat_map.h"
#include "grader/report/report_queries.h"
#include "grader/report/text.h"
#include "grader/testing/golden.h"
#include "grader/testing/schemas.h"

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(prairielearn)

using nlohmann::json;

json written(const Report& report) {
    const std::string text = to_prairielearn(report);
    BOOST_TEST(json_complaints("prairielearn", text) == "");
    BOOST_TEST(text.size() <= kMostPrairieLearn);
    return json::parse(text);
}

BOOST_AUTO_TEST_CASE(points_are_a_share_and_functions_are_tests) {
    const json results = written(golden());
    BOOST_TEST(results.at("gradable") == true);
    BOOST_TEST(results.at("score") == 6.5 / 27.5);
    BOOST_TEST(contains(results.at("message"), "6.5 / 27.5 points. Next: fix softmax."));
    BOOST_TEST(
        contains(results.at("output"), "extra.cpp, from the compiler:\n| extra.cpp:41:18: error: ?[31mred"));
    const Report report = golden();
    std::size_t functions = 0;
    for (const Assignment& assignment : report.assignments) functions += assignment.parts.size();
    BOOST_TEST(results.at("tests").size() == functions);
    const json& wrong = results.at("tests").at(0);
    BOOST_TEST(wrong.at("name") == "softmax");
    BOOST_TEST(wrong.at("message") == state_of(report.assignments.at(0).parts.at(0)));
    BOOST_TEST(wrong.at("points") == rounded(report.assignments.at(0).parts.at(0).points));
    BOOST_TEST(contains(wrong.at("output"), "case tall: wrong, 0 / 2.5\n"));
    BOOST_TEST(contains(wrong.at("output"), "Your output is exactly what comes out when exp is left out."));
    BOOST_TEST(contains(wrong.at("output"), "\nAlso:\n"));
    BOOST_TEST(!contains(wrong.at("output"), ": passed"));
}

BOOST_AUTO_TEST_CASE(points_have_two_decimals) {
    Report report = make_report({make_part("softmax", 1, {make_check("a", Outcome::wrong, "No.")})});
    report.assignments.at(0).parts.at(0).points = 10.0 / 3;
    report.assignments.at(0).parts.at(0).max_points = NAN;
    const json test = written(report).at("tests").at(0);
    BOOST_TEST(test.at("points") == 3.33);
    BOOST_TEST(test.at("max_points") == 0);
}

BOOST_AUTO_TEST_CASE(a_wrong_output_is_shown_as_a_heat_map) {
    const json images = written(golden()).at("images");
    BOOST_TEST(images.size() == 1U);
    const Picture picture = make_pictured("tall").pictures.front();
    BOOST_TEST(images.at(0).at("label") == "softmax, case tall: " + legend_of(picture));
    BOOST_TEST(images.at(0).at("url") ==
               "data:image/png;base64," + report::base64(png_of(report::heat_map(picture))));
}

BOOST_AUTO_TEST_CASE(a_submission_that_does_not_compile_costs_no_attempt) {
    Report report = make_report({make_part("softmax", 1, {make_check("a", Outcome::not_compiled, "No.")})});
    report.assignments.at(0).sources = {
        {"self_attention.cpp", true, false, "self_attention.cpp:1:2: error: " + kHostile},
        {"more.cpp", false, false, ""}};
    json results = written(report);
    BOOST_TEST(results.at("gradable") == false);
    BOOST_TEST(!results.contains("score"));
    BOOST_TEST(results.at("format_errors").size() == 2U);
    BOOST_TEST(contains(results.at("format_errors").at(0),
                        "self_attention.cpp does not compile:\n| self_attention"));
    BOOST_TEST(contains(results.at("format_errors").at(0), "\n| | ::error::x"));
    BOOST_TEST(results.at("format_errors").at(1) == "more.cpp was not handed in");
    // One file that compiles is enough.
    report.assignments.at(0).sources.push_back({"other.cpp", true, true, ""});
    results = written(report);
    BOOST_TEST(results.at("gradable") == true);
    BOOST_TEST(results.at("score") == 0);
}

BOOST_AUTO_TEST_CASE(images_are_dropped_first_and_then_texts_are_cut) {
    Report report = make_report({});
    std::vector<Check> checks;
    for (int k = 0; k < 12; ++k) checks.push_back(make_pictured("c" + std::to_string(k)));
    report.assignments.at(0).parts = {make_part("softmax", 1, checks)};
    BOOST_TEST(written(report).at("images").size() == 6U);
    // Many functions, each with a long text: six bytes for each character in JSON.
    report.assignments.at(0).parts.clear();
    for (Check& check : checks) {
        for (int line = 0; line < 40; ++line) check.printed += std::string(390, '<') + '\n';
        report.assignments.at(0).parts.push_back(make_part("f_" + check.name, 1, {check}));
    }
    json results = written(report);
    BOOST_TEST(results.at("images").empty());
    BOOST_TEST(results.at("tests").size() == 12U);
    BOOST_TEST(contains(results.at("tests").at(11).at("output"), "more bytes)"));
    BOOST_TEST(contains(results.at("tests").at(11).at("output"), "Every row of Y is off."));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
