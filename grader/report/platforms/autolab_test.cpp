#include <sstream>
#include <string>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "grader/report/disclosed.h"
#include "grader/report/platforms/formats.h"
#include "grader/testing/golden.h"

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(autolab)

using nlohmann::json;

struct Lines {
    std::string presentation, result;
};

Lines written(const Report& report) {
    std::istringstream text(to_autolab(report));
    Lines lines;
    std::getline(text, lines.presentation);
    std::getline(text, lines.result);
    std::string more;
    BOOST_TEST(!std::getline(text, more));
    return lines;
}

/// The number of unescaped colons inside strings.
std::size_t colons_in_strings(const std::string& line) {
    std::size_t count = 0;
    bool in_string = false;
    for (std::size_t k = 0; k < line.size(); ++k) {
        if (in_string && line[k] == '\\') {
            ++k;
            continue;
        }
        if (line[k] == '"') in_string = !in_string;
        if (in_string && line[k] == ':') ++count;
    }
    return count;
}

BOOST_AUTO_TEST_CASE(the_last_line_has_a_score_for_each_part_and_a_scoreboard) {
    BOOST_TEST(written(golden()).result ==
               R"({"scores":{"softmax":2.5,"self_attention":0.0,"attention":4.0},"scoreboard":[6.5,6.25]})");
}

BOOST_AUTO_TEST_CASE(a_secret_seed_leaves_the_speed_on_the_scoreboard_with_two_digits) {
    Report secret = golden();
    for (Part& part : secret.assignments.at(0).parts)
        for (Check& check : part.checks) check.disclosure = Disclosure::category;
    secret = report::disclosed(secret, {});
    BOOST_TEST(!secret.assignments.at(0).parts.at(2).checks.at(1).speed);
    BOOST_TEST(json::parse(written(secret).result).at("scoreboard") == json({6.5, 6.2}));
}

BOOST_AUTO_TEST_CASE(a_column_is_0_if_speed_was_not_measured) {
    Report report = golden();
    report.assignments.at(0).parts.at(2).checks.at(1).speed.reset();
    BOOST_TEST(json::parse(written(report).result).at("scoreboard") == json({6.5, 0}));
}

BOOST_AUTO_TEST_CASE(with_several_assignments_each_is_a_problem) {
    Report report = golden();
    report.assignments.push_back(report.assignments.front());
    report.assignments.back().title = "Multi-head attention";
    report.assignments.back().number = 3;
    const Lines lines = written(report);
    BOOST_TEST(json::parse(lines.result).at("scores") ==
               json({{"Self-attention", 6.5}, {"Multi-head attention", 6.5}}));
    BOOST_TEST(json::parse(lines.presentation).at("stages") ==
               json({"2 softmax", "2 self_attention", "2 attention", "3 softmax", "3 self_attention",
                     "3 attention"}));
}

BOOST_AUTO_TEST_CASE(the_first_line_has_the_result_of_each_check) {
    const json stages = json::parse(written(golden()).presentation);
    BOOST_TEST(stages.at("_presentation") == "semantic");
    BOOST_TEST(stages.at("stages") == json({"softmax", "self_attention", "attention"}));
    BOOST_TEST(stages.at("softmax").at("one_row") == json({{"passed", true}}));
    BOOST_TEST(stages.at("softmax").at("tall") ==
               json({{"passed", false},
                     {"hint",
                      "wrong. Every row of Y is off. Your output is exactly what comes out when exp is left "
                      "out."}}));
    BOOST_TEST(contains(stages.at("softmax").at("rows_sum_to_one").at("hint"), "::error::x"));
}

BOOST_AUTO_TEST_CASE(no_string_contains_an_unescaped_colon) {
    const Lines lines = written(golden());
    BOOST_TEST(colons_in_strings(lines.presentation) == 0U);
    BOOST_TEST(colons_in_strings(lines.result) == 0U);
    BOOST_TEST(contains(lines.presentation, "\\u003a\\u003aerror"));
    BOOST_TEST(colons_in_strings(R"({"a:": "\":"})") == 2U);
}

BOOST_AUTO_TEST_CASE(names_that_autolab_rejects_are_refused) {
    Report report = golden();
    report.assignments.push_back(report.assignments.front());
    const auto says = [](const std::string& words) {
        return [words](const UserError& error) { return contains(error.what(), words); };
    };
    BOOST_CHECK_EXCEPTION(to_autolab(report), UserError,
                          says("two problems would be called 'Self-attention'"));
    report.assignments.back().title = "Part 2: heads";
    BOOST_CHECK_EXCEPTION(to_autolab(report), UserError, says("cannot be called 'Part 2: heads'"));
    report.assignments.back().title = "";
    BOOST_CHECK_EXCEPTION(to_autolab(report), UserError, says("cannot be called ''"));
    report = golden();
    report.assignments.at(0).parts.at(0).function = "a:b";
    BOOST_CHECK_EXCEPTION(to_autolab(report), UserError, says("'a:b'"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
