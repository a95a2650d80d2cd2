#include "grader/judge/compare.h"

#include <cmath>
#include <limits>

#include <boost/test/unit_test.hpp>

namespace attn::judge {
namespace {

BOOST_AUTO_TEST_SUITE(compare)

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

Array f32(std::vector<float> values) {
    const int n = static_cast<int>(values.size());
    return {"Y", {n}, std::move(values)};
}
Array f64(std::vector<double> values) {
    const int n = static_cast<int>(values.size());
    return {"Y", {n}, std::move(values)};
}

BOOST_AUTO_TEST_CASE(yardstick_is_the_loops_own_error_and_one_rounding) {
    const double yardstick = yardstick_of(f64({1.0, -4.0}), f32({1.5, -4.0}));
    BOOST_TEST(yardstick == 0.5 + 4 * static_cast<double>(std::numeric_limits<float>::epsilon()));
}

BOOST_AUTO_TEST_CASE(an_error_at_the_limit_passes_and_a_larger_one_fails) {
    BOOST_TEST(judge::compare(f32({1.0F, 2.0F}), f64({1.0, 2.0}), 0.25, 2).ok);
    BOOST_TEST(judge::compare(f32({1.0F, 2.5F}), f64({1.0, 2.0}), 0.25, 2).ok);
    const Comparison beyond = judge::compare(f32({1.0F, 2.75F}), f64({1.0, 2.0}), 0.25, 2);
    BOOST_TEST(!beyond.ok);
    BOOST_TEST(beyond.wrong_count == 1U);
    BOOST_TEST(beyond.worst == 1U);
    BOOST_TEST(beyond.error_yardsticks == 3.0);
}

BOOST_AUTO_TEST_CASE(nan_never_passes) {
    for (const float garbage : {kNan, kInfinity, -kInfinity}) {
        const Comparison result = judge::compare(f32({9, garbage, 3}), f64({1, 2, 3}), 1e30, 1e30);
        BOOST_TEST(!result.ok);
        BOOST_TEST(result.wrong_count == 1U);
        BOOST_TEST(result.not_finite == 1U);
        BOOST_TEST(result.worst == 1U);
        BOOST_TEST(std::isinf(result.error_yardsticks));
    }
}

BOOST_AUTO_TEST_CASE(nothing_passes_with_a_yardstick_of_nan) {
    BOOST_TEST(!judge::compare(f32({1}), f64({1}), std::nan(""), 20).ok);
}

BOOST_AUTO_TEST_CASE(every_element_is_compared) {
    for (std::size_t k = 0; k < 100; ++k) {
        std::vector<float> got(100, 1);
        got[k] = 2;
        const Comparison result = judge::compare(f32(got), f64(std::vector<double>(100, 1)), 1e-7, 20);
        BOOST_TEST(!result.ok);
        BOOST_TEST(result.worst == k);
    }
}

BOOST_AUTO_TEST_CASE(unequal_shapes_and_a_truth_that_is_nan_are_faults_of_the_grader) {
    BOOST_CHECK_THROW(judge::compare(f32({1}), f64({1, 2}), 1, 20), std::logic_error);
    BOOST_CHECK_THROW(judge::compare(f32({1}), f64({std::nan("")}), 1, 20), std::logic_error);
}

BOOST_AUTO_TEST_CASE(same_numbers_requires_non_finite_values_in_the_same_places) {
    BOOST_TEST(same_numbers(f32({kNan, 2}), f64({1, 2}), f32({kNan, 2}), 20));
    BOOST_TEST(same_numbers(f32({kInfinity, 2}), f64({1, 2}), f32({kNan, 2}), 20));
    BOOST_TEST(!same_numbers(f32({1, 2}), f64({1, 2}), f32({kNan, 2}), 20));
    BOOST_TEST(!same_numbers(f32({kNan, 2}), f64({1, 2}), f32({1, 2}), 20));
    BOOST_TEST(!same_numbers(f32({kNan, 2.1F}), f64({1, 2}), f32({kNan, 2}), 20));
}

Array whole(std::vector<std::int32_t> values) {
    const int n = static_cast<int>(values.size());
    return {"tokens", {n}, std::move(values)};
}

// With the rounding error of a float, numbers from 420000 on would pass if they were off by one.
BOOST_AUTO_TEST_CASE(whole_numbers_are_compared_exactly) {
    const Array truth = whole({3, 16777217});
    const double yardstick = yardstick_of(truth, truth);
    BOOST_TEST(judge::compare(truth, truth, yardstick, 20).ok);
    const Comparison off_by_one = judge::compare(whole({3, 16777216}), truth, yardstick, 20);
    BOOST_TEST(!off_by_one.ok);
    BOOST_TEST(off_by_one.worst == 1U);
    BOOST_TEST(yardstick_of(whole({3}), whole({7})) == 0);
}

BOOST_AUTO_TEST_CASE(the_whole_numbers_of_a_mistake_are_those_in_float_or_in_double) {
    BOOST_TEST(same_numbers(whole({1, 2}), whole({1, 2}), whole({1, 5}), 20));
    BOOST_TEST(same_numbers(whole({1, 5}), whole({1, 2}), whole({1, 5}), 20));
    BOOST_TEST(!same_numbers(whole({1, 3}), whole({1, 2}), whole({1, 5}), 20));
    BOOST_TEST(!same_numbers(whole({500000}), whole({500001}), whole({500001}), 20));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::judge
