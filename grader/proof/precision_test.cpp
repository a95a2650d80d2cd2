// Half precision does not pass. (`selfcheck` proves that right solutions do.)

#include <boost/test/unit_test.hpp>

#include "grader/proof/harness.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(precision, *boost::unit_test::label("long"))

BOOST_AUTO_TEST_CASE(half_precision_passes_no_part) {
    // Rounds every output to the 11 significant bits of half precision, as a solution in that type would.
    const std::string half =
        "#include <cmath>\n"
        "static float half(float x) { int e; float m = std::frexp(x, &e); return std::ldexp(std::nearbyint(m "
        "* 2048) / 2048, e); }\n";
    const report::Report report =
        grade_source(half + edited(solution("self_attention"),
                                   {{"Y(i, j) = Y(i, j) / sum;", "Y(i, j) = ::half(Y(i, j) / sum);"},
                                    {"R(b, i, d) = sum;", "R(b, i, d) = ::half(sum);"},
                                    {" Y(b, i, d) = sum;", " Y(b, i, d) = ::half(sum);"}}));
    for (const report::Part& each : report.assignments.at(0).parts) {
        // A softmax over one column, or attention to one key, is exact in any precision.
        BOOST_TEST(each.points < each.max_points / 2);
        BOOST_TEST(!first_with(each, Outcome::wrong).diagnosis.has_value());
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
