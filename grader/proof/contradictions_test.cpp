// Sentences that a report's own checks refute are found.

#include "grader/proof/contradictions.h"

#include <set>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fmt/ranges.h>

#include "grader/proof/harness.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(contradictions)

report::Check check_of(const std::string& name, const std::string& about, bool passed) {
    report::Check check;
    check.name = name;
    check.about = about;
    check.outcome = passed ? Outcome::passed : Outcome::wrong;
    return check;
}

/// A part with a wrong case, of which something is said, and one that is right.
struct Planted {
    std::string function, wrong, right, pattern, smallest;
    bool refuted = true;

    friend std::ostream& operator<<(std::ostream& out, const Planted& planted) {
        return out << planted.pattern;
    }
};

const std::vector<Planted> kPlanted = {
    {"softmax", "normal numbers, N=5 D=7", "normal numbers, N=3 D=1",
     "In the cases shown here, and in calls like them: right with D = 1, wrong from D = 2.", "N=1 D=2",
     false},
    {"softmax", "normal numbers, N=5 D=7", "normal numbers, N=3 D=4",
     "In the cases shown here, and in calls like them: right with D = 1, wrong from D = 2.", ""},
    {"softmax", "normal numbers, N=5 D=7", "normal numbers, N=1 D=4",
     "In the cases shown here, and in calls like them: right with N = 1, wrong from N = 2.", "N=1 D=1"},
    {"softmax", "normal numbers, N=5 D=7", "scores near +-1000, N=3 D=4",
     "In the cases shown here with inputs of this kind, and in calls like them: right with D = 1, wrong from "
     "D = 2.",
     "", false},
    {"softmax", "normal numbers, N=5 D=7", "normal numbers, N=3 D=3",
     "In the cases shown here, and in calls like them: right where D = N, wrong where they differ.",
     "N=2 D=2"},
    {"softmax", "normal numbers, N=5 D=7", "normal numbers, N=3 D=2",
     "In the cases shown here, and in calls like them: right up to D = 3, wrong from D = 4.", "N=1 D=3"},
    {"softmax", "normal numbers, N=5 D=7", "normal numbers, N=3 D=8",
     "In the cases shown here, and in calls like them: right where D is a square, wrong otherwise.", ""},
    {"multi_head_attention", "normal numbers, B=1 N_q=2 N_k=2 D=6 H=2",
     "normal numbers, B=1 N_q=2 N_k=2 D=8 H=2",
     "In the cases shown here, and in calls like them: right where D/H is a square or N_k = 1, wrong "
     "otherwise.",
     "", false},
    {"softmax", "normal numbers, N=5 D=7", "normal numbers, N=3 D=8",
     "In the cases shown here, and in calls like them: wrong only with normal numbers.", ""},
    {"layer_norm", "normal numbers, N=5 D=7, eps=0.25", "normal numbers, N=3 D=8",
     "In the cases shown here, and in calls like them: right with eps = 1e-05, wrong with eps = 0.25.",
     "N=1 D=2, eps=0.25", false},
    {"layer_norm", "normal numbers, N=5 D=7, eps=0.25", "normal numbers, N=3 D=1, eps=0.25",
     "In the cases shown here, and in calls like them: right with eps = 1e-05, wrong with eps = 0.25.", ""},
    {"layer_norm", "normal numbers, N=5 D=7, eps=0.25", "normal numbers, N=3 D=1, eps=0.25",
     "In the cases shown here, and in calls like them: right with eps = 1e-05, wrong with eps = 0.25, except "
     "with D = 1, where "
     "all is right.",
     "", false},
    {"feed_forward", "normal numbers, N=5 D=4 F=7, activation=gelu_tanh", "normal numbers, N=5 D=4 F=7",
     "In the cases shown here, and in calls like them: right with activation = gelu_erf, wrong with "
     "activation = relu or "
     "gelu_tanh.",
     ""},
    {"multi_head_attention", "normal numbers, B=1 N_q=2 N_k=2 D=4 H=2",
     "normal numbers, B=1 N_q=2 N_k=2 D=4 H=2, without mask",
     "In the cases shown here, and in calls like them: right with mask, wrong without mask.", ""},
    {"scaled_dot_product_attention", "normal numbers, B=2 N_q=5 N_k=7 D_q=11 D_v=3",
     "normal numbers, B=2 N_q=5 N_k=7 D_q=11 D_v=3, A not wanted",
     "In the cases shown here, and in calls like them: right where A is asked for, wrong where it is not.",
     ""},
    {"scaled_dot_product_attention", "normal numbers, B=2 N_q=5 N_k=7 D_q=11 D_v=3",
     "normal numbers, B=2 N_q=5 N_k=7 D_q=11 D_v=3, A not wanted",
     "In the cases shown here, and in calls like them: right where A is not asked for, wrong where it is.",
     "", false},
    {"softmax", "normal numbers, N=5 D=7", "normal numbers, N=3 D=8", "Right on Sundays.", ""},
};

BOOST_DATA_TEST_CASE(a_pattern_that_a_case_refutes_is_found, boost::unit_test::data::make(kPlanted),
                     planted) {
    report::Part part;
    part.function = planted.function;
    part.checks = {check_of("ragged", planted.wrong, false), check_of("other", planted.right, true),
                   check_of("refused", planted.right + ", must be refused", true)};
    part.checks.front().pattern = planted.pattern;
    if (!planted.smallest.empty())
        part.checks.front().smallest = report::SmallestCase{planted.smallest, {}, {}, {}};
    BOOST_TEST(attn::proof::contradictions(part).empty() == !planted.refuted);
}

BOOST_AUTO_TEST_CASE(contents_are_read_from_the_inputs_that_are_shown) {
    report::Part part;
    part.function = "masked_softmax";
    part.checks = {check_of("ragged", "random numbers, N=2 D=2", false)};
    report::Check& check = part.checks.front();
    check.pattern =
        "In the cases shown here, and in calls like them: wrong where a row of mask has no 1, right "
        "elsewhere.";
    check.smallest = report::SmallestCase{"N=2 D=2", {{"mask", {2, 2}, {0, 1, 0, 0}}}, {}, {}};
    BOOST_TEST(attn::proof::contradictions(part).empty());
    check.smallest->inputs = {{"mask", {2, 2}, {0, 1, 1, 0}}};
    BOOST_TEST(attn::proof::contradictions(part).size() == 1U);
    check.pattern =
        "In the cases shown here, and in calls like them: wrong where a row of mask has a 0 before a 1, "
        "right elsewhere.";
    BOOST_TEST(attn::proof::contradictions(part).empty());
    check.pattern =
        "In the cases shown here, and in calls like them: wrong where a row of X is below 0 throughout, "
        "right elsewhere.";
    check.smallest->inputs = {{"X", {2, 2}, {-1, 2, -1, 0}}};
    BOOST_TEST(attn::proof::contradictions(part).size() == 1U);
}

BOOST_AUTO_TEST_CASE(an_output_that_is_called_right_and_is_wrong_is_found) {
    report::Part part;
    part.function = "scaled_dot_product_attention";
    part.checks = {check_of("ragged", "normal numbers, B=2 N_q=5 N_k=7 D_q=11 D_v=3", false)};
    report::Check& check = part.checks.front();
    check.difference = report::Difference{"", "A", {0, 1, 2}, 1, 2, 1e6, 20};
    check.pattern = "Y is right in every case.";
    BOOST_TEST(attn::proof::contradictions(part).empty());
    check.pattern = "A is right in every case.";
    BOOST_TEST(attn::proof::contradictions(part).size() == 1U);
    check.pattern = "A is right in the first batch and has errors in every other.";
    BOOST_TEST(attn::proof::contradictions(part).size() == 1U);
    check.pattern = "A is wrong in the first batch and right in every other.";
    BOOST_TEST(attn::proof::contradictions(part).empty());
    check.difference->error_yardsticks = 3;  // 20 are allowed
    BOOST_TEST(attn::proof::contradictions(part).size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_name_that_a_passing_check_refutes_is_found) {
    const ask::Module& module = *ask::find_module("transformer_block");
    PartMatrix matrix;
    matrix.function = "feed_forward";
    matrix.columns = {{"relu", false, ""}, {"gelu_erf", false, ""}};
    matrix.caught.assign(module.mistakes.size(), {true, true});  // every mistake fails both
    report::Part part;
    part.function = "feed_forward";
    part.checks = {check_of("relu", "normal numbers, N=5 D=4 F=7", false),
                   check_of("gelu_erf", "normal numbers, N=5 D=4 F=7, activation=gelu_erf", true)};
    report::Diagnosis& said = part.checks.front().diagnosis.emplace();
    said.mistakes = {"relu_and_gelu_swapped"};
    said.sentence = "Your output is exactly what comes out when ReLU and GELU are swapped.";
    BOOST_TEST(attn::proof::contradictions(part, &matrix).size() == 1U);
    said = {{}, "With activation = relu your output is exactly what belongs to activation = gelu_erf.", {}};
    BOOST_TEST(attn::proof::contradictions(part, &matrix).empty());
    said.sentence =
        "With activation = gelu_tanh your output is exactly what belongs to activation = gelu_erf.";
    BOOST_TEST(attn::proof::contradictions(part, &matrix).size() == 1U);
}

/// Submissions whose reports once contradicted themselves. grade_source() fails if one does.
struct Mistaken {
    std::string assignment, module, function, said;
    std::vector<Edit> edits;

    friend std::ostream& operator<<(std::ostream& out, const Mistaken& each) { return out << each.said; }
};

const std::vector<Mistaken> kMistaken = {
    {"02_self_attention",
     "self_attention",
     "scaled_dot_product_attention",
     "In the cases shown here, and in calls like them: right where D_q is a square or N_k = 1, wrong "
     "otherwise.",
     {{"const float scale = std::sqrt(float(D_q))", "const int scale = std::sqrt(float(D_q))"}}},
    {"02_self_attention",
     "self_attention",
     "scaled_dot_product_attention",
     "In this case your output is exactly what comes out when the scores are not divided by sqrt(D_q). Not "
     "all cases are "
     "wrong in this way.",
     {{"const float scale = std::sqrt(float(D_q))", "const float scale = N_q == 1 ? 3.7F : 1"}}},
    {"02_self_attention",
     "self_attention",
     "softmax",
     "In the cases shown here with inputs of this kind, and in calls like them: wrong where a row of X is "
     "below 0 throughout, "
     "right elsewhere.",
     {{"float m = X(i, 0);", "float m = 0;"}}},
    {"05_transformer_block",
     "transformer_block",
     "feed_forward",
     "With activation = relu your output is exactly what belongs to activation = gelu_erf.",
     {{"    return relu(x);", "    return gelu_erf(x);"}}},
    {"05_transformer_block",
     "transformer_block",
     "transformer_block",
     "With norm = post your output is exactly what belongs to norm = pre.",
     {{"if (norm == Norm::post) {\n        multi", "if (false) {\n        multi"}}},
    {"05_transformer_block",
     "transformer_block",
     "layer_norm",
     "In the cases shown here, and in calls like them: right with eps = 1e-05, wrong with eps = 0.25, except "
     "with D = 1, where "
     "all is right.",
     {{"std::sqrt(var + eps)", "std::sqrt(var + 1e-5f)"}}},
    {"07_seq2seq",
     "seq2seq",
     "encode",
     "In the cases shown here, and in calls like them: wrong where one of lengths is 0, right elsewhere. H "
     "is right in every "
     "case.",
     {{"const float* h_prev = zeros.data();",
       "const float* h_prev = zeros.data(); if (n == 0) zeros[0] = 1;"}}},
};

BOOST_DATA_TEST_CASE(what_is_said_of_a_mistake_holds_in_all_of_its_cases,
                     boost::unit_test::data::make(kMistaken), each) {
    // Where a cause is named, no pattern is told beside it.
    const bool is_pattern = each.said.starts_with("In the cases shown here");
    const report::Report report = grade_source(
        edited(solution(each.module), each.edits),
        {.assignment = each.assignment, .hints = is_pattern ? report::Hints::question : report::Hints::name});
    std::set<std::string> said;
    for (const report::Check& check : part(report, each.function).checks) {
        said.insert(check.pattern);
        if (check.diagnosis) said.insert(check.diagnosis->sentence);
    }
    BOOST_TEST(said.contains(each.said), fmt::format("{}", fmt::join(said, "\n")));
}

BOOST_AUTO_TEST_CASE(selfcheck_reads_at_least_300_reports) {
    // One about every second listed mistake, whatever the sample of submissions is: see kill_matrix().
    std::size_t read = 0;
    for (const ask::Module& module : ask::modules()) read += module.mistakes.size() / 2;
    BOOST_TEST(read >= 300U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
