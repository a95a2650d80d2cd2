#include "grader/classes/insight/distribution.h"

#include <boost/test/unit_test.hpp>

using namespace attn::classes;

BOOST_AUTO_TEST_SUITE(distribution)

BOOST_AUTO_TEST_CASE(every_student_is_in_one_bin) {
    const Distribution found = distribution_of(
        {{0, 0}, {1, 0.0999}, {2, 0.1}, {3, 0.3}, {4, 0.999}, {5, 1}, {6, 1 - 1e-12}, {7, 1.2}, {8, -1}});
    BOOST_TEST(found.bins[0] == (std::vector{0, 1, 8}));
    BOOST_TEST(found.bins[1] == std::vector{2});
    BOOST_TEST(found.bins[3] ==
               std::vector{3});  // 10 * 0.3 is less than 3 in binary for some ways to get 0.3
    BOOST_TEST(found.bins[9] == std::vector{4});
    BOOST_TEST(found.bins[10] == (std::vector{5, 6, 7}));
    BOOST_TEST(found.count == 9);
    std::size_t all = 0;
    for (const auto& bin : found.bins) all += bin.size();
    BOOST_TEST(all == 9U);
}

BOOST_AUTO_TEST_CASE(a_class_without_grades_has_no_mean) {
    const Distribution found = distribution_of({});
    BOOST_TEST(found.count == 0);
    BOOST_TEST(!found.mean);
    BOOST_TEST(!found.median);
}

BOOST_AUTO_TEST_CASE(quartiles_are_interpolated) {
    const Distribution found = distribution_of({{0, 0.4}, {1, 0.1}, {2, 0.2}, {3, 0.8}});
    BOOST_TEST(*found.mean == 0.375, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(*found.lower_quartile == 0.175, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(*found.median == 0.3, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(*found.upper_quartile == 0.5, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(quantile({7}, 0.9) == 7);
    BOOST_TEST(quantile({1, 2}, 1) == 2);
}

BOOST_AUTO_TEST_CASE(the_tail_is_that_of_the_hypergeometric_distribution) {
    // By hand: of 5 students 2 have the first and 3 the second mistake; both have two of them in 3 of 10
    // ways.
    BOOST_TEST(chance_of_both(5, 2, 3, 2) == 0.3, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(chance_of_both(5, 2, 3, 1) == 0.9, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(chance_of_both(5, 2, 3, 0) == 1, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(chance_of_both(5, 2, 3, 3) == 0);
    BOOST_TEST(chance_of_both(300, 30, 30, 20) < 1e-12);
    // Of 4 students 3 have each, so at least two have both.
    BOOST_TEST(chance_of_both(4, 3, 3, 2) == 1, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_SUITE_END()
