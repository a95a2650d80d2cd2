// Systematic edits of the plain loops are noticed by the rubrics' checks.

#include "grader/proof/edit_matrix.h"

#include <boost/test/unit_test.hpp>

#include "grader/base/installation.h"
#include "grader/grading/grade.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(edit_matrix)

submission::Rubric rubric_of_softmax() {
    submission::Rubric rubric = submission::read_rubric(Installation().assignments / "02_self_attention");
    rubric.parts.resize(1);
    return rubric;
}

BOOST_AUTO_TEST_CASE(the_checks_notice_nearly_every_edit) {
    const submission::Rubric rubric = rubric_of_softmax();
    const EditMatrix matrix =
        proof::edit_matrix(rubric, rubric.parts.front(), kPublicSeed, Sample{200, 1}, {});
    BOOST_TEST(matrix.function == "softmax");
    BOOST_TEST(matrix.edits > 150);
    BOOST_TEST(matrix.killed() + static_cast<int>(matrix.survivors.size()) == matrix.edits);
    BOOST_TEST(matrix.killed() > matrix.edits * 3 / 4);
}

BOOST_AUTO_TEST_CASE(a_case_that_is_missing_is_a_hole) {
    submission::Rubric rubric = rubric_of_softmax();
    submission::PartRubric& part = rubric.parts.front();
    part.cases.resize(1);
    part.cases.front().sizes = {{"N", 3}, {"D", 1}};  // one column: every answer is 1
    part.properties.clear();
    const EditMatrix matrix = proof::edit_matrix(rubric, part, kPublicSeed, Sample{100, 1}, {});
    BOOST_TEST(matrix.holes() > 10);
    for (const Survivor& each : matrix.survivors)
        BOOST_TEST((each.witness.empty() || each.witness.find("N=") != std::string::npos), each.witness);
}

BOOST_AUTO_TEST_CASE(a_reason_counts_for_survivors_without_a_witness_only) {
    submission::Rubric rubric = rubric_of_softmax();
    const auto survivors = [&](const std::vector<Equivalent>& equivalents) {
        return proof::edit_matrix(rubric, rubric.parts.front(), kPublicSeed, Sample{100, 1}, equivalents);
    };
    const EditMatrix without = survivors({}), with = survivors({{"*", "", "no reason at all"}});
    BOOST_TEST(without.unexplained() > 0);
    BOOST_TEST(with.unexplained() == 0);
    BOOST_TEST(with.holes() == without.holes());
    BOOST_TEST(survivors({{"another_function", "", "elsewhere"}}).unexplained() == without.unexplained());
}

BOOST_AUTO_TEST_CASE(the_table_of_reasons_is_read) {
    const auto all = read_equivalents(Installation().proof / "equivalent.toml");
    BOOST_TEST(!all.empty());
    BOOST_CHECK_THROW(read_equivalents("no/such/file.toml"), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
