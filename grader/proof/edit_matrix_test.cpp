// Systematic edits of the plain loops are noticed by the rubrics' checks.

#include "grader/proof/edit_matrix.h"

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "grader/base/installation.h"
#include "grader/grading/grade.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(edit_matrix)

TooSmall a_class(const char* function, const char* edit) {
    return {std::regex(function), std::regex(edit), fmt::format("{} {}", function, edit)};
}

rubric::Rubric rubric_of_softmax() {
    rubric::Rubric rubric = rubric::read_rubric(Installation().assignments / "02_self_attention");
    rubric.parts.resize(1);
    return rubric;
}

BOOST_AUTO_TEST_CASE(the_checks_notice_nearly_every_edit) {
    const rubric::Rubric rubric = rubric_of_softmax();
    const EditMatrix matrix =
        proof::edit_matrix(rubric, rubric.parts.front(), kPublicSeed, Sample{200, "1"}, {});
    BOOST_TEST(matrix.function == "softmax");
    BOOST_TEST(matrix.edits > 150);
    BOOST_TEST(matrix.killed() + static_cast<int>(matrix.survivors.size()) == matrix.edits);
    BOOST_TEST(matrix.killed() > matrix.edits * 3 / 4);
    const auto is_tiny_addition = [](const Survivor& each) { return each.said.starts_with("0.0000"); };
    BOOST_TEST(std::ranges::any_of(matrix.survivors, is_tiny_addition));
    for (const Survivor& each : matrix.survivors)
        BOOST_TEST(is_tiny_addition(each) == !each.too_small.empty(), each.said << each.too_small);
}

BOOST_AUTO_TEST_CASE(a_case_that_is_missing_is_a_hole) {
    rubric::Rubric rubric = rubric_of_softmax();
    rubric::PartRubric& part = rubric.parts.front();
    part.cases.resize(1);
    part.cases.front().sizes = {{"N", 3}, {"D", 1}};  // one column: every answer is 1
    part.properties.clear();
    const EditMatrix matrix = proof::edit_matrix(rubric, part, kPublicSeed, Sample{100, "1"}, {});
    BOOST_TEST(matrix.holes() > 10);
    for (const Survivor& each : matrix.survivors)
        BOOST_TEST((each.witness.empty() || each.witness.find("N=") != std::string::npos), each.witness);
}

BOOST_AUTO_TEST_CASE(an_edit_that_is_too_small_is_no_hole) {
    rubric::Rubric rubric = rubric_of_softmax();
    rubric::PartRubric& part = rubric.parts.front();
    part.cases.resize(1);
    part.cases.front().sizes = {{"N", 3}, {"D", 1}};
    part.properties.clear();
    const auto matrix = [&](const std::vector<TooSmall>& too_small) {
        return proof::edit_matrix(rubric, part, kPublicSeed, Sample{40, "1"}, too_small);
    };
    const EditMatrix without = matrix({}), with = matrix({a_class(".*", "")});
    BOOST_TEST(without.holes() > 0);
    BOOST_TEST(with.holes() == 0);
    BOOST_TEST(with.too_small() == without.too_small() + without.holes());
    BOOST_TEST(with.without_witness() == without.without_witness());
    BOOST_TEST(matrix({a_class("soft", "")}).holes() == without.holes());  // the name of no function
}

BOOST_AUTO_TEST_CASE(a_class_without_a_survivor_is_found) {
    EditMatrix matrix;
    matrix.survivors.push_back({"softmax", "", "m is left out", "", "", "file:3: m"});
    std::vector<TooSmall> too_small = {a_class("a", "b"), a_class("c", "d")};
    too_small.front().place = "file:3: m";
    const std::vector<std::string> unused = without_survivor(too_small, std::span(&matrix, 1));
    BOOST_REQUIRE(unused.size() == 1U);
    BOOST_TEST(unused.front() == "c d");
}

BOOST_AUTO_TEST_CASE(a_refused_case_notices_that_the_refusal_is_missing) {
    rubric::Rubric rubric = rubric::read_rubric(Installation().assignments / "03_multi_head");
    rubric::PartRubric& part = rubric.parts.front();
    std::erase_if(part.cases, [](const auto& each) { return each.name != "indivisible"; });
    BOOST_REQUIRE(part.cases.size() == 1U);
    part.properties.clear();
    const EditMatrix matrix = proof::edit_matrix(rubric, part, kPublicSeed, {}, {});
    BOOST_TEST(matrix.killed() > 0);
    BOOST_TEST(matrix.killed() < matrix.edits / 10);
}

BOOST_AUTO_TEST_CASE(no_rubric_has_a_hole_and_every_class_has_a_survivor) {
    const Installation installation;
    const Sample sample = at_most(6);  // of each function, and so many assignments
    for (const rubric::Rubric& rubric : drawn(rubric::read_rubrics(installation.assignments), sample)) {
        const std::vector<EditMatrix> matrices =
            edit_matrices(installation, rubric, kPublicSeed, sample, [](const std::string&) {});
        for (const EditMatrix& matrix : matrices)
            for (const Survivor& each : matrix.survivors)
                BOOST_TEST(!each.is_hole(), matrix.function << ", " << each.function << ": " << each.said
                                                            << " [" << each.becomes << "], noticed with "
                                                            << each.witness);
        if (sample.is_all())
            for (const std::string& place :
                 without_survivor(read_too_small(installation.proof_of(rubric.module->name)), matrices))
                BOOST_ERROR("no such survivor: " + place);
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
