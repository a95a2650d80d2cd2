// Right solutions of other makes pass; half precision does not.

#include <boost/test/unit_test.hpp>

#include "grader/impostors/harness.h"

namespace attn::impostors {
namespace {

BOOST_AUTO_TEST_SUITE(right)

void require_full_marks(const report::Report& report) {
    for (const report::Part& each : report.assignments.at(0).parts) {
        BOOST_TEST(each.points == each.max_points);
        for (const report::Check& check : each.checks) BOOST_TEST(check.message == "");
    }
    BOOST_TEST(report.assignments.at(0).points == 100.0);
}

BOOST_AUTO_TEST_CASE(a_students_plain_solution_passes) {
    require_full_marks(grade_source(source("self_attention/solution.cpp")));
}

BOOST_AUTO_TEST_CASE(the_reference_as_a_submission_passes) {
    require_full_marks(grade_source(source("self_attention/reference.cpp"), {0, {{"-I" ATTN_SOURCE_DIR}, {ATTN_REFERENCE}}}));
}

BOOST_AUTO_TEST_CASE(an_online_softmax_over_blocks_passes) {
    require_full_marks(grade_source(source("self_attention/online.cpp")));
}

BOOST_AUTO_TEST_CASE(double_inside_passes) {
    require_full_marks(grade_source(edited(
        source("self_attention/solution.cpp"),
        {{"float sum = 0;\n        for (int j = 0; j < D", "double sum = 0;\n        for (int j = 0; j < D"},
         {"float dot = 0;", "double dot = 0;"},
         {"float sum = 0;\n                for (int j = 0; j < N_k",
          "double sum = 0;\n                for (int j = 0; j < N_k"}})));
}

BOOST_AUTO_TEST_CASE(scaling_the_queries_instead_of_the_scores_passes) {
    require_full_marks(grade_source(
        edited(source("self_attention/solution.cpp"),
               {{"dot / scale", "dot"}, {"Q(b, i, d) * K(b, j, d)", "Q(b, i, d) / scale * K(b, j, d)"}})));
}

BOOST_AUTO_TEST_CASE(half_precision_fails_every_part) {
    // Rounds to the 11 significant bits of half precision, as a solution in that type would at every output.
    const std::string half =
        "#include <cmath>\n"
        "static float half(float x) { int e; float m = std::frexp(x, &e); return std::ldexp(std::nearbyint(m "
        "* 2048) / 2048, e); }\n";
    const report::Report report =
        grade_source(half + edited(source("self_attention/solution.cpp"),
                                   {{"Y(i, j) = Y(i, j) / sum;", "Y(i, j) = ::half(Y(i, j) / sum);"},
                                    {"Y(b, i, d) = sum;", "Y(b, i, d) = ::half(sum);"}}));
    for (const report::Part& each : report.assignments.at(0).parts) {
        // A softmax over one column, or attention to one key, is exact in any precision.
        BOOST_TEST(each.points < each.max_points / 2);
        BOOST_TEST(!first_with(each, Outcome::wrong).diagnosis.has_value());
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::impostors
