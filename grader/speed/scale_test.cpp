#include "grader/speed/scale.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <boost/test/unit_test.hpp>

namespace attn::speed {
namespace {

BOOST_AUTO_TEST_SUITE(scale)

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(),
                 kInf = std::numeric_limits<double>::infinity();
const ask::Scale kUsual{{{1, 0.2}, {8, 0.6}}, 0.5};

BOOST_AUTO_TEST_CASE(the_shares_of_the_handout_are_earned) {
    constexpr double kYardstick = 40;
    BOOST_TEST(share_of(kUsual, 1, kYardstick) == 0.2);
    BOOST_TEST(share_of(kUsual, 8, kYardstick) == 0.6);
    BOOST_TEST(share_of(kUsual, 20, kYardstick) == 1.0);
    BOOST_TEST(share_of(kUsual, 1000, kYardstick) == 1.0);
}

BOOST_AUTO_TEST_CASE(below_the_plain_loops_the_share_is_proportional_to_the_speed) {
    BOOST_TEST(share_of(kUsual, 0.5, 40) == 0.1, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(share_of(kUsual, 0.01, 40) == 0.002, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(between_two_steps_equal_factors_earn_equally) {
    const auto near = boost::test_tools::tolerance(1e-12);
    BOOST_TEST(share_of(kUsual, std::sqrt(8.0), 40) == 0.4, near);
    BOOST_TEST(share_of(kUsual, 2, 40) == 0.2 + 0.4 / 3, near);
    BOOST_TEST(share_of(kUsual, 4, 40) == 0.2 + 0.8 / 3, near);
    BOOST_TEST(share_of(kUsual, std::sqrt(8.0 * 20), 40) == 0.8, near);
}

BOOST_AUTO_TEST_CASE(an_invalid_speed_earns_nothing) {
    for (const double nothing : {kNan, -kNan, 0.0, -0.0, -1.0, -kInf})
        BOOST_TEST(share_of(kUsual, nothing, 40) == 0.0);
    BOOST_TEST(share_of(kUsual, kInf, 40) == 1.0);
}

BOOST_AUTO_TEST_CASE(a_yardstick_near_the_plain_loops_leaves_out_steps) {
    // Everything is earned from 4 times the plain loops on, so the step at 8 does not count.
    BOOST_TEST(share_of(kUsual, 2, 8) == 0.6, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(share_of(kUsual, 4, 8) == 1.0);
    // A step at exactly that speed does not count either.
    BOOST_TEST(share_of(kUsual, 7.9, 16) > 0.98);
    // Everything is earned from 0.6 times the plain loops on, so no step is left.
    BOOST_TEST(share_of(kUsual, 0.3, 1.2) == 0.5, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(share_of(kUsual, 0.6, 1.2) == 1.0);
    BOOST_TEST(share_of({{}, 1}, 10, 40) == 0.25);
}

BOOST_AUTO_TEST_CASE(the_share_never_falls_with_the_speed) {
    const ask::Scale steep{{{0.5, 0.01}, {1, 0.5}, {1.001, 0.9}, {30, 0.91}, {31, 1}}, 0.8};
    for (const ask::Scale& each : {kUsual, steep, ask::Scale{{}, 0.5}, ask::Scale{{{2, 0}, {3, 0.5}}, 1}}) {
        for (const double yardstick : {0.01, 0.7, 1.0, 1.6, 2.0, 7.0, 16.0, 16.1, 60.0, 1e6}) {
            double before = 0;
            for (int k = -4000; k <= 8000; ++k) {
                const double share = share_of(each, std::exp2(k / 400.0), yardstick);
                if (!(share >= before && share <= 1)) BOOST_ERROR(share << " after " << before);
                before = std::max(before, share);
            }
            BOOST_TEST(before == 1.0);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_faster_yardstick_never_earns_more) {
    for (const double speed : {0.1, 0.9, 1.0, 3.0, 8.0, 11.0, 40.0}) {
        double before = 1;
        for (int k = 0; k <= 1000; ++k) {
            const double share = share_of(kUsual, speed, 16.01 * std::exp2(k / 100.0));
            if (!(share <= before)) BOOST_ERROR(share << " after " << before);
            before = share;
        }
    }
}

BOOST_AUTO_TEST_CASE(a_yardstick_without_speed_throws) {
    for (const double nothing : {kNan, 0.0, -1.0, kInf})
        BOOST_CHECK_THROW(share_of(kUsual, 1, nothing), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::speed
