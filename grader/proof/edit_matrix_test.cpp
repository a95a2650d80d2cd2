// Systematic edits of the plain loops are noticed by the rubrics' checks.

#include "grader/proof/edit_matrix.h"

#include <algorithm>
#include <iterator>
#include <string>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "grader/base/installation.h"
#include "grader/grading/grade.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(edit_matrix)

Equivalent reason_for(const char* function, const char* edit) {
    return {std::regex(function), std::regex(edit), "a reason", fmt::format("{} {}", function, edit)};
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

BOOST_AUTO_TEST_CASE(a_reason_counts_for_survivors_without_a_witness_only) {
    rubric::Rubric rubric = rubric_of_softmax();
    const auto survivors = [&](const std::vector<Equivalent>& equivalents) {
        return proof::edit_matrix(rubric, rubric.parts.front(), kPublicSeed, Sample{100, "1"}, equivalents);
    };
    const EditMatrix without = survivors({}), with = survivors({reason_for(".*", "")});
    BOOST_TEST(without.unexplained() > 0);
    BOOST_TEST(with.unexplained() == 0);
    BOOST_TEST(with.holes() == without.holes());
    BOOST_TEST(survivors({reason_for("soft", "")}).unexplained() == without.unexplained());
}

BOOST_AUTO_TEST_CASE(only_an_edit_that_is_too_small_may_have_a_witness_and_a_reason) {
    rubric::Rubric rubric = rubric_of_softmax();
    rubric::PartRubric& part = rubric.parts.front();
    part.cases.resize(1);
    part.cases.front().sizes = {{"N", 3}, {"D", 1}};
    part.properties.clear();
    Equivalent reason = reason_for(".*", "");
    const auto matrix = [&] {
        return proof::edit_matrix(rubric, part, kPublicSeed, Sample{40, "1"}, std::span(&reason, 1));
    };
    const EditMatrix equivalent = matrix();
    BOOST_TEST(equivalent.holes() > 0);
    BOOST_TEST(equivalent.too_small() == 0);
    reason.too_small = true;
    const EditMatrix too_small = matrix();
    BOOST_TEST(too_small.holes() == 0);
    BOOST_TEST(too_small.too_small() == equivalent.holes());
}

BOOST_AUTO_TEST_CASE(a_reason_without_a_survivor_is_found) {
    EditMatrix matrix;
    matrix.survivors.push_back({"softmax", "", "m is left out", "", "", "file:3: m"});
    std::vector<Equivalent> equivalents = {reason_for("a", "b"), reason_for("c", "d")};
    equivalents.front().place = "file:3: m";
    const std::vector<std::string> unused = without_survivor(equivalents, std::span(&matrix, 1));
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

/// No hole and no survivor without a reason; and no reason without a survivor, if all edits ran.
BOOST_AUTO_TEST_CASE(every_survivor_has_a_reason_and_every_reason_a_survivor) {
    const Installation installation;
    const Sample sample = at_most(10);
    std::vector<EditMatrix> all;
    for (const rubric::Rubric& rubric : rubric::read_rubrics(installation.assignments)) {
        const std::vector<EditMatrix> matrices =
            edit_matrices(installation, rubric, kPublicSeed, sample, [](const std::string&) {});
        for (const EditMatrix& matrix : matrices)
            for (const Survivor& each : matrix.survivors)
                BOOST_TEST(!each.reason.empty(), matrix.function << ", " << each.function << ": " << each.said
                                                                 << " [" << each.becomes << "] "
                                                                 << each.witness);
        if (sample.is_all())
            for (const std::string& place :
                 without_survivor(equivalents_of(installation, rubric.module->name), matrices))
                BOOST_ERROR("no such survivor: " + place);
        std::ranges::copy(matrices, std::back_inserter(all));
    }
    if (sample.is_all())
        for (const std::string& place : without_survivor(common_equivalents(installation), all))
            BOOST_ERROR("no such survivor: " + place);
}

BOOST_AUTO_TEST_CASE(the_table_of_reasons_is_read) {
    BOOST_TEST(!common_equivalents(Installation()).empty());
    BOOST_TEST(equivalents_of(Installation(), "no_such_module").empty());
    BOOST_CHECK_THROW(read_equivalents("no/such/file.toml"), std::invalid_argument);
    const data::TemporaryDirectory folder;
    const auto read = [&](const std::string& text) {
        folder.write("equivalent.toml", text);
        return read_equivalents(folder.path() / "equivalent.toml");
    };
    const auto two = read("[[too_small]]\nfunction = 'f|g'\nedit = [\n'a b',\n'c',\n]\nwhy = 'so'\n");
    BOOST_REQUIRE(two.size() == 2U);
    BOOST_TEST(two[0].too_small);
    BOOST_TEST(two[1].why == "so");
    BOOST_TEST(two[0].place.ends_with("equivalent.toml:4: a b"));
    BOOST_CHECK_THROW(read("[[equivalent]]\nfunction = 'f'\nedit = 'a'\n"), std::invalid_argument);
    BOOST_CHECK_THROW(read("[[equivalent]]\nfunction = 'f'\nedit = '('\nwhy = 'so'\n"),
                      std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
