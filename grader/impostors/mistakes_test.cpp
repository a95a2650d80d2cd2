// Every known mistake of self-attention, made in a student's text: it costs points and is named.

#include <algorithm>
#include <set>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "grader/checks/check.h"
#include "grader/impostors/harness.h"

namespace attn::impostors {
namespace {

struct Made {
    std::string mistake;  ///< what the report has to say, in the part
    std::string part;
    std::vector<Edit> edits;
    std::set<std::string> together = {};  ///< mistakes with the same numbers there

    friend std::ostream& operator<<(std::ostream& out, const Made& made) { return out << made.mistake; }
};

const std::string kAttention = "scaled_dot_product_attention";
Edit scale_is(const std::string& what) {
    return {"std::sqrt(float(D_q))", what};
}
const std::string kBegin = "const int N = X.size(0), D = X.size(1);";
const std::string kMaximum = "for (int j = 0; j < D; j++) m = std::max(m, X(i, j));";

const std::vector<Made>& all_made() {
    static const std::vector<Made> kAll = {
        {"no_scale", kAttention, {{"dot / scale", "dot"}}},
        {"scale_D_q", kAttention, {scale_is("float(D_q)")}},
        {"scale_sqrt_N", kAttention, {scale_is("std::sqrt(float(N_k))")}},
        {"scale_sqrt_D_v", kAttention, {scale_is("std::sqrt(float(D_v))")}},
        {"softmax_over_columns",
         "softmax",
         {{kBegin, "const int N = X.size(1), D = X.size(0);"},
          {"float m = X(i, 0);", "float m = X(0, i);"},
          {"m = std::max(m, X(i, j));", "m = std::max(m, X(j, i));"},
          {"Y(i, j) = std::exp(X(i, j) - m);", "Y(j, i) = std::exp(X(j, i) - m);"},
          {"sum += Y(i, j);", "sum += Y(j, i);"},
          {"Y(i, j) = Y(i, j) / sum;", "Y(j, i) = Y(j, i) / sum;"}}},
        {"softmax_over_matrix", "softmax", {{kBegin, kBegin + R"(
    float top = X(0, 0), total = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < D; j++) top = std::max(top, X(i, j));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < D; j++) total += Y(i, j) = std::exp(X(i, j) - top);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < D; j++) Y(i, j) /= total;
    return;)"}}},
        {"K_not_transposed", kAttention, {{"K(b, j, d)", "K(b, d, j)"}}},
        {"K_Q_transposed", kAttention, {{"Q(b, i, d) * K(b, j, d)", "K(b, i, d) * Q(b, j, d)"}}},
        {"A_transposed", kAttention, {{"W(i, j) * V(b, j, d)", "W(j, i) * V(b, j, d)"}}},
        {"V_is_K", kAttention, {{"V(b, j, d)", "K(b, j, d)"}}},
        {"V_is_X", "self_attention", {{"(Y, {}, Q, K, V)", "(Y, {}, Q, K, X)"}}},
        {"scale_after_softmax",
         kAttention,
         {{"dot / scale", "dot"},
          {"softmax(W, E);", "softmax(W, E);\n for (float& w : weights) w /= scale;"}}},
        {"no_maximum", "softmax", {{"float m = X(i, 0);", "float m = 0;"}, {kMaximum, ""}}},
        {"global_maximum",
         "softmax",
         {{kMaximum, "for (int r = 0; r < N; r++)\n for (int j = 0; j < D; j++) m = std::max(m, X(r, j));"}}},
        {"maximum_from_zero", "softmax", {{"float m = X(i, 0);", "float m = 0;"}}},
        {"no_exp", "softmax", {{"std::exp(X(i, j) - m)", "X(i, j)"}}},
        {"W_transposed", "self_attention", {{"W(k, d)", "W(d, k)"}}},
        {"next_batch_keys", kAttention, {{"K(b, j, d)", "K((b + 1) % B, j, d)"}}},
        {"W_Q_W_K_swapped",
         "self_attention",
         {{"q = project(X, W_Q)", "q = project(X, W_K)"}, {"k = project(X, W_K)", "k = project(X, W_Q)"}},
         {"K_Q_transposed"}},
    };
    return kAll;
}

std::set<std::string> named_in(const report::Part& part) {
    std::set<std::string> named;
    for (const report::Check& check : part.checks)
        if (check.diagnosis) named.insert(check.diagnosis->mistakes.begin(), check.diagnosis->mistakes.end());
    return named;
}

BOOST_AUTO_TEST_SUITE(mistakes)

BOOST_AUTO_TEST_CASE(every_mistake_of_the_module_is_made_here) {
    std::set<std::string> known, made;
    for (const checks::Mistake& mistake : checks::find_module("self_attention")->mistakes)
        known.insert(mistake.name);
    for (const Made& each : all_made()) made.insert(each.mistake);
    BOOST_TEST(known == made, boost::test_tools::per_element());
    BOOST_TEST(known.size() >= 18U);
}

BOOST_DATA_TEST_CASE(costs_points_and_is_named, boost::unit_test::data::make(all_made()), made) {
    const report::Report report = grade_source(edited(source("self_attention/solution.cpp"), made.edits));
    const report::Part& affected = part(report, made.part);
    BOOST_TEST(affected.points < affected.max_points);
    std::set<std::string> expected = made.together;
    expected.insert(made.mistake);
    BOOST_TEST(named_in(affected) == expected, boost::test_tools::per_element());
    // Parts that come before the mistake keep all their points.
    for (const report::Part& before : report.assignments.at(0).parts) {
        if (before.function == made.part) break;
        BOOST_TEST(before.points == before.max_points);
    }
}

BOOST_AUTO_TEST_CASE(two_mistakes_at_once_are_named_together) {
    const report::Report report = grade_source(edited(
        source("self_attention/solution.cpp"), {{"dot / scale", "dot"}, {"V(b, j, d)", "K(b, j, d)"}}));
    BOOST_TEST(named_in(part(report, kAttention)).count("no_scale+V_is_K") == 1U);
}

/// Slips of other kinds, some of which make a known mistake's numbers in one case or another.
struct Slip {
    std::string name, part;
    std::vector<Edit> edits;

    friend std::ostream& operator<<(std::ostream& out, const Slip& slip) { return out << slip.name; }
};

const std::vector<Slip> kSlips = {
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

BOOST_DATA_TEST_CASE(nobody_is_said_to_have_made_a_mistake_that_he_did_not,
                     boost::unit_test::data::make(kSlips), slip) {
    const report::Report report = grade_source(edited(source("self_attention/solution.cpp"), slip.edits));
    BOOST_TEST(part(report, slip.part).points < part(report, slip.part).max_points);
    BOOST_TEST(named_in(part(report, slip.part)) == std::set<std::string>{},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_mistake_nobody_knows_is_located_but_not_named) {
    const report::Report report = grade_source(
        edited(source("self_attention/solution.cpp"), {{"dot / scale", "dot / scale + 0.5f * (j == 2)"}}));
    const report::Check& check = first_with(part(report, kAttention), Outcome::wrong);
    BOOST_TEST(!check.diagnosis.has_value());
    BOOST_TEST(check.smallest.has_value());
    BOOST_TEST(check.smallest->sizes.find("N_k=3") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::impostors
