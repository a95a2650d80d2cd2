// Gradients computed by hand. grader/proof/backward_gradients_test.cpp holds all functions to exact derivatives of
// their forward functions.

#include <cmath>
#include <cstdint>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "contracts/recurrent_backward_on_arrays.h"
#include "reference/testing/near.h"

using attn::Array;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(recurrent_backward)

BOOST_AUTO_TEST_CASE_TEMPLATE(the_worked_examples_of_the_handout, T, Reals) {
    const Array both = {"mask", {1, 2}, std::vector<std::uint8_t>{1, 1}};
    const auto context = on_arrays::attention_context_backward<T>(
        numbers<T>("da", {1, 2}, {0, 0}), numbers<T>("dc", {1, 1}, {3}),
        numbers<T>("e", {1, 2}, {std::log(2.0), 0}), numbers<T>("h", {1, 2, 1}, {4, 1}), both);
    BOOST_TEST(is_near(context.de, {2, -2}, 20 * kRounding<T>));
    BOOST_TEST(is_near(context.dh, {2, 1}, 20 * kRounding<T>));
    const auto scores = on_arrays::additive_scores_backward<T>(
        numbers<T>("de", {1, 2}, {1, -1}), numbers<T>("s_prev", {1, 1}, {1}),
        numbers<T>("h", {1, 2, 1}, {0, 1}), numbers<T>("W_q", {1, 1}, {std::log(2.0)}),
        numbers<T>("W_k", {1, 1}, {-std::log(2.0)}), numbers<T>("v", {1}, {2}));
    BOOST_TEST(is_near(scores.ds_prev, {-0.4991}, 5e-5));
    BOOST_TEST(is_near(scores.dh, {-0.8872, 1.3863}, 5e-5));
    BOOST_TEST(is_near(scores.dW_q, {-0.72}, 20 * kRounding<T>));
    BOOST_TEST(is_near(scores.dW_k, {-2}, 20 * kRounding<T>));
    BOOST_TEST(is_near(scores.dv, {0.6}, 20 * kRounding<T>));
    const auto step = on_arrays::decoder_step_backward<T>(
        numbers<T>("ds", {1, 1}, {1}), numbers<T>("y_prev", {1, 1}, {1}), numbers<T>("c", {1, 1}, {2}),
        numbers<T>("s_prev", {1, 1}, {0.5}), numbers<T>("W_x", {2, 1}, {std::log(2.0), 0}),
        numbers<T>("W_s", {1, 1}, {1}), numbers<T>("b", {1}, {-0.5}));
    BOOST_TEST(is_near(step.dy_prev, {0.4436}, 5e-5));
    BOOST_TEST(is_near(step.dc, {0}, 0));
    BOOST_TEST(is_near(step.ds_prev, {0.64}, 20 * kRounding<T>));
    BOOST_TEST(is_near(step.dW_x, {0.64, 1.28}, 20 * kRounding<T>));
    BOOST_TEST(is_near(step.dW_s, {0.32}, 20 * kRounding<T>));
    BOOST_TEST(is_near(step.db, {0.64}, 20 * kRounding<T>));
}

BOOST_AUTO_TEST_SUITE_END()
