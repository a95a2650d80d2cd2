// Which mistakes are named and which are not. `selfcheck` proves that every known mistake is named.

#include <set>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "grader/proof/harness.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(mistakes, *boost::unit_test::label("long"))

const std::string kAttention = "scaled_dot_product_attention";
Edit scale_is(const std::string& what) {
    return {"std::sqrt(float(D_q))", what};
}
std::set<std::string> named_in(const report::Part& part) {
    std::set<std::string> named;
    for (const report::Check& check : part.checks)
        if (check.diagnosis) named.insert(check.diagnosis->mistakes.begin(), check.diagnosis->mistakes.end());
    return named;
}

BOOST_AUTO_TEST_CASE(two_mistakes_at_once_are_named_together) {
    const report::Report report = grade_source(
        edited(solution("self_attention"), {{"dot / scale", "dot"}, {"V(b, j, d)", "K(b, j, d)"}}));
    BOOST_TEST(named_in(part(report, kAttention)).count("no_scale+V_is_K") == 1U);
}

/// Mistakes that the grader does not know. Some give the numbers of a known mistake in some cases.
struct Other {
    std::string name, part;
    std::vector<Edit> edits;

    friend std::ostream& operator<<(std::ostream& out, const Other& slip) { return out << slip.name; }
};

const std::vector<Other> kSlips = {
    {"maximum of magnitudes",
     "softmax",
     {{"m = std::max(m, X(i, j));", "m = std::max(m, std::abs(X(i, j)));"}}},
    {"square root of N_q", kAttention, {scale_is("std::sqrt(float(N_q))")}},
    {"integer division", kAttention, {{"dot / scale", "dot * (1 / int(scale))"}}},
    {"rounded square root", kAttention, {scale_is("float(int(std::sqrt(float(D_q))))")}},
    {"last column left out",
     "softmax",
     {{"for (int j = 0; j < D; j++) {", "for (int j = 0; j + 1 < D; j++) {"}}},
    {"only batch 0",
     kAttention,
     {{"for (int b = 0; b < B; b++) {\n        for (int i = 0; i < N_q",
       "for (int b = 0; b < 1; b++) {\n        for (int i = 0; i < N_q"}}},
};

BOOST_DATA_TEST_CASE(an_unknown_mistake_does_not_get_the_name_of_a_known_one,
                     boost::unit_test::data::make(kSlips), slip) {
    const report::Report report = grade_source(edited(solution("self_attention"), slip.edits));
    BOOST_TEST(part(report, slip.part).points < part(report, slip.part).max_points);
    BOOST_TEST(named_in(part(report, slip.part)) == std::set<std::string>{},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_mistake_with_wrong_numbers_does_not_explain_a_broken_call) {
    // With no more queries than batches it reads wrong lengths. With more it reads past the end.
    const report::Report report = grade_source(
        edited(solution("masking"), {{"const int length = lengths(b);", ""},
                                     {"M(b, i, j) = j < length;", "M(b, i, j) = j < lengths(i);"}}),
        {.assignment = "04_masking"});
    const report::Part& mask = part(report, "padding_mask");
    BOOST_TEST((first_with(mask, Outcome::out_of_bounds).kind == report::CheckKind::numeric));
    BOOST_TEST(first_with(mask, Outcome::wrong).name == "ragged");
    BOOST_TEST(named_in(mask) == std::set<std::string>{}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_large_error_is_not_named_a_rounding_mistake) {
    const std::string text = solution("transformer_block");
    for (const std::vector<Edit>& edits : {std::vector<Edit>{{"float var = 0;", "static float var = 0;"}},
                                           {{"float var = 0;", "float var = eps;"}}}) {
        const report::Report report =
            grade_source(edited(text, edits), {.assignment = "05_transformer_block"});
        const report::Part& norm = part(report, "layer_norm");
        BOOST_TEST(norm.points < norm.max_points);
        BOOST_TEST(named_in(norm) == std::set<std::string>{}, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(one_missing_bias_among_many_weights_keeps_most_properties) {
    const report::Report report =
        grade_source(edited(solution("rnn_attention"), {{"float z = weights.b_0(d);", "float z = 0;"}}),
                     {.assignment = "01_rnn_attention"});
    const report::Part& decode = part(report, "decode");
    int held = 0;
    for (const report::Check& check : decode.checks) {
        // Where the sums are so large that tanh is 1 or -1, a bias changes nothing.
        if (check.kind == report::CheckKind::numeric)
            BOOST_TEST((check.outcome == Outcome::wrong) == (check.name != "saturated"), check.id);
        held += check.kind == report::CheckKind::property && check.outcome == Outcome::passed ? 1 : 0;
    }
    BOOST_TEST(held == 8);  // of 9: continuing a decoding depends on s_0
}

BOOST_AUTO_TEST_CASE(an_unknown_mistake_is_located_but_not_named) {
    const report::Report report =
        grade_source(edited(solution("self_attention"), {{"dot / scale", "dot / scale + 0.5f * (j == 2)"}}));
    const report::Check& check = first_with(part(report, kAttention), Outcome::wrong);
    BOOST_TEST(!check.diagnosis.has_value());
    BOOST_TEST(check.smallest.has_value());
    BOOST_TEST(check.smallest->sizes.find("N_k=3") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
