#include <numeric>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "grader/report/platforms/formats.h"
#include "grader/testing/golden.h"
#include "grader/testing/schemas.h"

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(classroom50)

using nlohmann::json;
using Numbers = std::vector<int>;

const Classroom50 kNames{"cs50",   "attention",           "submit/1", "commit", "release",
                         kHostile, "2026-11-21T18:00:00Z"};

json written(const Report& report) {
    const std::string text = to_classroom50(report, kNames);
    BOOST_TEST(json_complaints("classroom50", text) == "");
    return json::parse(text);
}

BOOST_AUTO_TEST_CASE(the_result_names_the_classroom_and_has_a_test_for_each_part) {
    const json result = written(golden());
    BOOST_TEST(result.at("schema") == "classroom50/result/v1");
    BOOST_TEST(result.at("classroom") == "cs50");
    BOOST_TEST(result.at("assignment") == "attention");
    BOOST_TEST(result.at("submission") == "submit/1");
    BOOST_TEST(result.at("review") == kInOneLine);
    BOOST_TEST(result.at("datetime") == "2026-11-21T18:00:00Z");
    BOOST_TEST(result.at("tests").size() == 3U);
    BOOST_TEST(
        result.at("tests").at(2) ==
        json({{"test-name", "self_attention.attention"}, {"passed", false}, {"score", 4}, {"max-score", 8}}));
}

BOOST_AUTO_TEST_CASE(a_part_that_passed_has_all_its_points) {
    const Check passed = make_check("a", Outcome::passed);
    const json result =
        written(make_report({make_part("f", 1, {passed, passed}), make_part("g", 2, {passed, passed}),
                             make_part("h", 3, {make_wrong("x"), passed})}));
    BOOST_TEST(result.at("score") == 13);
    BOOST_TEST(result.at("max-score") == 15);
    for (const json& test : result.at("tests"))
        BOOST_TEST((test.at("score") == test.at("max-score")) == test.at("passed").get<bool>());
}

BOOST_AUTO_TEST_CASE(the_largest_remainders_are_rounded_up) {
    BOOST_TEST(whole_numbers({}) == Numbers());
    BOOST_TEST(whole_numbers({1, 2, 3}) == (Numbers{1, 2, 3}));
    BOOST_TEST(whole_numbers({1.2, 1.4, 1.4}) == (Numbers{1, 2, 1}));
    BOOST_TEST(whole_numbers({0.4, 0.4, 0.4}) == (Numbers{1, 0, 0}));
    BOOST_TEST(whole_numbers({2.5, 0, 4}) == (Numbers{3, 0, 4}));
    BOOST_TEST(whole_numbers({0.1 + 0.2 + 0.7, 19.999999999999}) == (Numbers{1, 20}));
    BOOST_TEST(whole_numbers({2.5, 2.5}, {2, 9}) == (Numbers{2, 3}));
}

BOOST_AUTO_TEST_CASE(sums_agree_and_no_score_exceeds_its_maximum) {
    for (int k = 0; k < 200; ++k) {
        std::vector<double> points, most;
        for (int j = 0; j < 7; ++j) {
            most.push_back((k * 37 + j * 101) % 97 / 7.0);
            points.push_back(most.back() * ((k + 3 * j) % 5) / 4);
        }
        const Numbers most_whole = whole_numbers(most), whole = whole_numbers(points, most_whole);
        const double sum = std::accumulate(points.begin(), points.end(), 0.0);
        BOOST_TEST(std::accumulate(whole.begin(), whole.end(), 0) == std::lround(sum));
        for (std::size_t j = 0; j < whole.size(); ++j) {
            BOOST_TEST(whole[j] <= most_whole[j]);
            BOOST_TEST(whole[j] > points[j] - 1 - 1e-6);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
