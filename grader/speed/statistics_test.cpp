#include "grader/speed/statistics.h"

#include <cmath>
#include <random>

#include <boost/test/unit_test.hpp>

namespace attn::speed {
namespace {

BOOST_AUTO_TEST_SUITE(statistics)

BOOST_AUTO_TEST_CASE(the_median_is_the_middle_one) {
    BOOST_TEST(median({5}) == 5);
    BOOST_TEST(median({9, 1, 4}) == 4);
    BOOST_TEST(median({8, 1, 2, 100}) == 5);
    BOOST_TEST(std::isnan(median({})));
}

BOOST_AUTO_TEST_CASE(one_outlier_does_not_move_the_interval) {
    const auto interval = median_interval({1.0, 1.1, 0.9, 1.05, 0.95, 1.02, 0.98, 1000});
    BOOST_TEST(interval.value > 0.9);
    BOOST_TEST(interval.high < 1.2);
    BOOST_TEST(interval.low >= 0.9);
}

BOOST_AUTO_TEST_CASE(few_values_have_the_widest_interval) {
    const auto two = median_interval({3, 7});
    BOOST_TEST(two.value == 5);
    BOOST_TEST(two.low == 3);
    BOOST_TEST(two.high == 7);
    const auto one = median_interval({3});
    BOOST_TEST(one.low == 3);
    BOOST_TEST(one.high == 3);
    BOOST_TEST(std::isnan(median_interval({}).value));
}

BOOST_AUTO_TEST_CASE(the_interval_contains_the_true_median_about_as_often_as_it_says) {
    std::mt19937_64 random(11);
    std::normal_distribution<double> noise(10, 1);
    constexpr int kTrials = 300;
    int held = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
        std::vector<double> values(12);
        for (double& value : values) value = noise(random);
        const auto interval = median_interval(values);
        BOOST_TEST(interval.low <= interval.value);
        BOOST_TEST(interval.value <= interval.high);
        held += interval.low <= 10 && 10 <= interval.high ? 1 : 0;
    }
    BOOST_TEST(held >= kTrials * 88 / 100);
    BOOST_TEST(held < kTrials);  // an interval of all numbers would always contain it
}

BOOST_AUTO_TEST_CASE(factors_2_and_one_half_are_equally_far) {
    const auto interval = ratio_interval({0.5, 1, 2});
    BOOST_TEST(interval.value == 1, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(interval.low * interval.high == 1, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(interval.low < 0.75);
}

BOOST_AUTO_TEST_CASE(powers_have_their_exponent) {
    const std::vector<double> N{64, 128, 256, 512};
    for (const double exponent : {0.0, 1.0, 2.0, 3.0}) {
        std::vector<double> cost;
        for (const double n : N) cost.push_back(7 * std::pow(n, exponent));
        BOOST_TEST(std::abs(growth_exponent(N, cost) - exponent) < 1e-12);
    }
    std::vector<double> mixed;
    for (const double n : N) mixed.push_back(n * n + 100 * n);
    BOOST_TEST(growth_exponent(N, mixed) > 1.2);
    BOOST_TEST(growth_exponent(N, mixed) < 2.0);
}

BOOST_AUTO_TEST_CASE(the_exponent_is_nan_if_there_is_no_slope) {
    const std::vector<double> one{64}, two{64, 64}, cost{1, 2};
    BOOST_TEST(std::isnan(growth_exponent(one, one)));
    BOOST_TEST(std::isnan(growth_exponent(two, cost)));
    BOOST_TEST(std::isnan(growth_exponent(cost, one)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::speed
