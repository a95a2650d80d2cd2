#include <string>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "grader/report/disclosed.h"
#include "grader/report/platforms/formats.h"
#include "grader/testing/golden.h"
#include "grader/testing/schemas.h"

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(gradescope)

using nlohmann::json;

json written(const Report& report) {
    const std::string text = to_gradescope(report);
    BOOST_TEST(json_complaints("gradescope", text) == "");
    return json::parse(text);
}

/// Two visible checks, and one for each disclosure that keeps a check back.
Report with_secrets(bool total_always) {
    std::vector<Check> checks;
    for (const Disclosure disclosure : {Disclosure::full, Disclosure::category, Disclosure::after_deadline,
                                        Disclosure::after_publication, Disclosure::never}) {
        Check check = make_check("shown_" + std::string(name_of(disclosure)), Outcome::passed);
        check.disclosure = disclosure;
        checks.push_back(check);
    }
    Report report = make_report({make_part("softmax", 1, checks)});
    report.assignments.at(0).total_always = total_always;
    return report;
}

BOOST_AUTO_TEST_CASE(each_function_is_a_test) {
    const json results = written(golden());
    BOOST_TEST(results.at("execution_time") == 1);
    BOOST_TEST(results.at("stdout_visibility") == "hidden");
    BOOST_TEST(results.at("extra_data") == json::object());
    BOOST_TEST(results.at("tests").size() == 3U);
    const json& wrong = results.at("tests").at(0);
    BOOST_TEST(wrong.at("name") == "softmax");
    BOOST_TEST(wrong.at("number") == "2.1.1");
    BOOST_TEST(wrong.at("status") == "failed");
    BOOST_TEST(wrong.at("score") == 2.5);
    BOOST_TEST(wrong.at("max_score") == 15);
    BOOST_TEST(wrong.at("visibility") == "visible");
    BOOST_TEST(wrong.at("tags") == json({"numeric", "property"}));
    const std::string output = wrong.at("output");
    for (const char* part : {"1 of 5 numeric, 0 of 1 properties\n", "Every row of Y is off.",
                             "Worst at Y(1, 3): yours 0.4127, expected 0.3891", "N=1 D=2", "Y yours",
                             "**Your output is exactly what comes out when exp is left out.**",
                             "Think: What is exp for? (handout, step 1)", "`make explain ID=2.softmax.tall`"})
        BOOST_TEST_CONTEXT(output) BOOST_TEST(contains(output, part), "missing: " << part);
    BOOST_TEST(results.at("tests").at(1).at("output") == "not implemented yet\n");
    BOOST_TEST(results.at("tests").at(2).at("name") == "attention");
    BOOST_TEST(results.at("tests").at(2).at("number") == "2.3.1");
    const std::string slow = results.at("tests").at(2).at("output");
    BOOST_TEST(contains(slow, "6\\.25 times the plain loops"), slow);  // as Markdown escapes a number's point
}

BOOST_AUTO_TEST_CASE(points_have_two_decimals) {
    Check third = make_check("a", Outcome::passed);
    third.points = third.max_points = 10.0 / 3;
    const json results = written(make_report({make_part("softmax", 1, {third})}));
    BOOST_TEST(results.at("tests").at(0).at("score") == 3.33);
    BOOST_TEST(results.at("tests").at(0).at("max_score") == 3.33);
    BOOST_TEST(results.at("score") == 3.33);
}

BOOST_AUTO_TEST_CASE(measured_speed_is_on_the_leaderboard) {
    BOOST_TEST(
        written(golden()).at("leaderboard") ==
        json::parse(R"([{"name": "attention: times the plain loops", "value": 6.25, "order": "desc"}])"));
    Report secret = golden();
    secret.assignments.at(0).parts.at(2).checks.at(1).disclosure = Disclosure::never;
    BOOST_TEST(written(secret).at("leaderboard").empty());
    BOOST_TEST(written(report::disclosed(secret, {})).at("leaderboard").empty());
    // With a secret seed the speed has two digits.
    secret.assignments.at(0).parts.at(2).checks.at(1).disclosure = Disclosure::category;
    const json board = written(report::disclosed(secret, {})).at("leaderboard");
    BOOST_REQUIRE(board.size() == 1U);
    BOOST_TEST(board.at(0).at("value") == 6.2);
}

BOOST_AUTO_TEST_CASE(there_is_no_hidden_test_if_the_total_is_always_shown) {
    const json results = written(with_secrets(true));
    BOOST_TEST(results.at("score") == 12.5);
    BOOST_TEST(results.at("tests").size() == 1U);
    for (const json& test : results.at("tests")) BOOST_TEST(test.at("visibility") == "visible");
    const std::string output = results.at("output");
    BOOST_TEST_CONTEXT(output) {
        BOOST_TEST(contains(output, "3 checks are kept back; the total counts them already"));
        BOOST_TEST(contains(output, "| `softmax` | 5 / 5 |"));
        BOOST_TEST(contains(output, "12.5 / 12.5"));
    }
    // The hidden checks are not mentioned.
    BOOST_TEST(!contains(results.dump(), "shown_never"));
    BOOST_TEST(!contains(results.dump(), "shown_after"));
}

BOOST_AUTO_TEST_CASE(hidden_checks_use_gradescopes_visibility_if_the_total_may_be_hidden) {
    const json results = written(with_secrets(false));
    BOOST_TEST(results.at("score") == 12.5);
    std::vector<std::string> seen;
    for (const json& test : results.at("tests")) seen.push_back(test.at("visibility"));
    const std::vector<std::string> expected = {"visible", "after_due_date", "after_published", "hidden"};
    BOOST_TEST(seen == expected, boost::test_tools::per_element());
    BOOST_TEST(results.at("tests").at(3).at("number") == "2.1.4");
    BOOST_TEST(results.at("tests").at(0).at("score") == 5);
    // The summary, which is always shown, does not reveal the total.
    const std::string output = results.at("output");
    BOOST_TEST_CONTEXT(output) {
        BOOST_TEST(contains(output, "3 checks are kept back; the total will count them"));
        BOOST_TEST(contains(output, "# Attention Lab: 5 / 5\n"));
        BOOST_TEST(!contains(output, "12.5"));
    }
}

BOOST_AUTO_TEST_CASE(a_function_of_which_nothing_is_counted_has_neither_passed_nor_failed) {
    Check left_out = make_check("speed", Outcome::skipped, "Not measured: --no-speed.");
    left_out.max_points = 0;
    const json results =
        written(make_report({make_part("softmax", 1, {left_out}),
                             make_part("norm", 2, {make_check("b", Outcome::skipped, "Not run.")}),
                             make_part("merge", 3, {left_out, make_check("c", Outcome::passed)})}));
    BOOST_TEST(!results.at("tests").at(0).contains("status"));
    BOOST_TEST(results.at("tests").at(1).at("status") == "failed");
    BOOST_TEST(results.at("tests").at(2).at("status") == "passed");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
