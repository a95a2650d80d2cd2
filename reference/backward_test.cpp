// Gradients computed by hand, and gradients that are 0. grader/proof/backward_gradients_test.cpp holds all functions to exact
// derivatives of their forward functions.

#include <cmath>

#include <boost/test/unit_test.hpp>

#include "contracts/backward_on_arrays.h"
#include "reference/testing/near.h"

using attn::Array;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(backward)

BOOST_AUTO_TEST_CASE_TEMPLATE(the_worked_examples_of_the_handout, T, Reals) {
    const Array dX = on_arrays::softmax_backward<T>(numbers<T>("dY", {1, 3}, {1, 0, 0}),
                                                    numbers<T>("X", {1, 3}, {std::log(2.0), 0, 0}));
    BOOST_TEST(is_near(dX, {0.25, -0.125, -0.125}, kRounding<T>));
    const auto attention = on_arrays::scaled_dot_product_attention_backward<T>(
        numbers<T>("dY", {1, 2, 1}, {3, 0}), numbers<T>("Q", {1, 2, 1}, {1, 0}),
        numbers<T>("K", {1, 2, 1}, {std::log(2.0), 0}), numbers<T>("V", {1, 2, 1}, {4, 0}));
    BOOST_TEST(is_near(attention.dQ, {1.8484, 0}, 5e-5));
    BOOST_TEST(is_near(attention.dK, {2.6667, -2.6667}, 5e-5));
    BOOST_TEST(is_near(attention.dV, {2, 1}, 5e-5));
    const auto norm = on_arrays::layer_norm_backward<T>(
        numbers<T>("dY", {1, 3}, {1, 0, 0}), numbers<T>("X", {1, 3}, {1, 2, 6}),
        numbers<T>("gamma", {3}, {1, 1, 1}), numbers<T>("beta", {3}, {0, 0, 0}), T(1e-5));
    BOOST_TEST(is_near(norm.dX, {0.1763, -0.2204, 0.0441}, 5e-5));
    BOOST_TEST(is_near(norm.dgamma, {-0.9258, 0, 0}, 5e-5));
    BOOST_TEST(is_near(norm.dbeta, {1, 0, 0}, 0));
    const Array targets = {"targets", {1, 1}, std::vector<int>{2}};
    const Array dlogits = on_arrays::cross_entropy_backward<T>(
        numbers<T>("dloss", {1}, {1}), numbers<T>("logits", {1, 1, 3}, {0, 0, 0}), targets, T(0));
    BOOST_TEST(is_near(dlogits, {1.0 / 3, 1.0 / 3, -2.0 / 3}, kRounding<T>));
}

// Whatever the loss, it does not change if a number is added to all scores, or to all numbers of a row.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_gradient_of_a_sum_over_a_softmax_is_0, T, Reals) {
    const Array dX =
        on_arrays::softmax_backward<T>(numbers<T>("dY", {2, 3}, {1, 1, 1, 5, 5, 5}), normal<T>("X", {2, 3}));
    BOOST_TEST(is_near(dX, {0, 0, 0, 0, 0, 0}, 10 * kRounding<T>));
}

BOOST_AUTO_TEST_SUITE_END()
