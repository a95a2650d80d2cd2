// Answers computed by hand, and edge cases.

#include <cmath>
#include <limits>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/masking_reference.h"
#include "contracts/self_attention_on_arrays.h"
#include "reference/testing/masking_inputs.h"
#include "reference/testing/near.h"

using attn::Array;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(masking)

BOOST_AUTO_TEST_CASE_TEMPLATE(the_worked_example_of_the_handout, T, Reals) {
    const Array causal = on_arrays::causal_mask(3, 3), padding = padding_mask({3, 2}, 3, 3);
    const Array both = on_arrays::combine_masks(causal, padding);
    BOOST_TEST(is_near(both, {1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 1, 1, 0}, 0));
    // D_q = 4, so that the scale is 2; E = Q K^T / 2 has the rows (1 0 2), (0 1 -1), (1 1 1) in both batches.
    const Array Q = numbers<T>("Q", {2, 3, 4}, {2, 0, 0, 0, 0, 2, 0, 0, 2, 2, 0, 0,  //
                                                2, 0, 0, 0, 0, 2, 0, 0, 2, 2, 0, 0});
    const Array K = numbers<T>("K", {2, 3, 4}, {1, 0, 5, 0, 0, 1, 0, 5, 2, -1, 5, 5,  //
                                                1, 0, 5, 0, 0, 1, 0, 5, 2, -1, 5, 5});
    const Array V = numbers<T>("V", {2, 3, 2}, {4, 0, 0, 8, 2, 2, 4, 0, 0, 8, 2, 2});
    const auto attended = on_arrays::masked_attention<T>(Q, K, V, both);
    BOOST_TEST(is_near(attended.A,
                       {1, 0, 0, 0.268941, 0.731059, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3,  //
                        1, 0, 0, 0.268941, 0.731059, 0, 0.5, 0.5, 0},
                       1e-6));
    BOOST_TEST(
        is_near(attended.Y, {4, 0, 1.075766, 5.848469, 2, 10.0 / 3, 4, 0, 1.075766, 5.848469, 2, 4}, 2e-6));
}

BOOST_AUTO_TEST_CASE(a_causal_mask_is_a_triangle) {
    BOOST_TEST(is_near(on_arrays::causal_mask(1, 1), {1}, 0));
    BOOST_TEST(is_near(on_arrays::causal_mask(4, 4), {1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1}, 0));
}

BOOST_AUTO_TEST_CASE(a_causal_mask_is_aligned_at_the_end) {
    BOOST_TEST(is_near(on_arrays::causal_mask(2, 5), {1, 1, 1, 1, 0, 1, 1, 1, 1, 1}, 0));
    BOOST_TEST(is_near(on_arrays::causal_mask(1, 3), {1, 1, 1}, 0));
    BOOST_TEST(is_near(on_arrays::causal_mask(4, 2), {0, 0, 0, 0, 1, 0, 1, 1}, 0));
}

BOOST_AUTO_TEST_CASE(padding_is_on_the_key_axis) {
    BOOST_TEST(
        is_near(padding_mask({2, 0, 3}, 2, 3), {1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}, 0));
}

BOOST_AUTO_TEST_CASE(masks_are_combined_by_and) {
    const Array causal = mask({2, 2}, {1, 0, 0, 1}), padding = mask({2, 2, 2}, {1, 1, 0, 0, 0, 1, 1, 1});
    BOOST_TEST(is_near(on_arrays::combine_masks(causal, padding), {1, 0, 0, 0, 0, 0, 0, 1}, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(masked_softmax_by_hand, T, Reals) {
    const Array X =
        numbers<T>("X", {3, 4}, {std::log(1.0), std::log(2.0), std::log(4.0), 9, 5, 6, 5, 7, -3, 1, 2, 3});
    const Array M = mask({3, 4}, {1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0});
    BOOST_TEST(is_near(on_arrays::masked_softmax<T>(X, M),
                       {1.0 / 7, 2.0 / 7, 4.0 / 7, 0, 0.5, 0, 0.5, 0, 0, 0, 1, 0}, kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_fully_masked_row_is_zero, T, Reals) {
    const Array X = numbers<T>("X", {2, 2}, {1, 2, 10000, -10000});
    BOOST_TEST(is_near(on_arrays::masked_softmax<T>(X, mask({2, 2}, {0, 0, 0, 0})), {0, 0, 0, 0}, 0));
    const Array Q = normal<T>("Q", {2, 3, 5}), K = normal<T>("K", {2, 4, 5}), V = normal<T>("V", {2, 4, 6});
    const auto attended = on_arrays::masked_attention<T>(Q, K, V, padding_mask({0, 1}, 3, 4));
    const std::vector<double> nothing(3 * 6, 0.0);
    const Array& Y = attended.Y;
    const T* first = Y.view<T, 3>().data();
    BOOST_TEST(is_near(Array("Y[0]", {3, 6}, std::vector<T>(first, first + 18)), nothing, 0));
    const T* second = attended.A.template as<T>().data() + 12;
    BOOST_TEST(is_near(Array("A[1]", {3, 4}, std::vector<T>(second, second + 12)),
                       {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(scores_of_10000_masked_or_not, T, Reals) {
    const Array X =
        numbers<T>("X", {3, 3}, {10000, -10000, 9999, -10000, 10000, -10000, 10000, 10000, -10000});
    const double e = std::exp(-1.0);
    const Array M = mask({3, 3}, {1, 1, 1, 1, 0, 1, 0, 0, 1});
    BOOST_TEST(is_near(on_arrays::masked_softmax<T>(X, M),
                       {1 / (1 + e), 0, e / (1 + e), 0.5, 0, 0.5, 0, 0, 1}, kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_masked_score_is_not_read, T, Reals) {
    const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
    const Array X("X", {1, 4}, std::vector<T>{3, infinity, nan, 3});
    BOOST_TEST(is_near(on_arrays::masked_softmax<T>(X, mask({1, 4}, {1, 0, 0, 1})), {0.5, 0, 0, 0.5}, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_mask_of_ones_changes_nothing, T, Reals) {
    const Array Q = normal<T>("Q", {2, 3, 5}), K = normal<T>("K", {2, 4, 5}), V = normal<T>("V", {2, 4, 6});
    const auto masked = on_arrays::masked_attention<T>(Q, K, V, padding_mask({4, 4}, 3, 4));
    const auto plain = on_arrays::scaled_dot_product_attention<T>(Q, K, V);
    BOOST_TEST(is_near(masked.Y, plain.Y, 0));
    BOOST_TEST(is_near(masked.A, plain.A, 0));
    const Array X = normal<T>("X", {3, 5});
    BOOST_TEST(is_near(on_arrays::masked_softmax<T>(X, mask({3, 5}, std::vector<std::uint8_t>(15, 1))),
                       on_arrays::softmax<T>(X), 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_empty_A_is_not_written_and_Y_is_the_same_bit_for_bit, T, Reals) {
    const Array Q = normal<T>("Q", {2, 3, 5}), K = normal<T>("K", {2, 4, 5}), V = normal<T>("V", {2, 4, 6});
    const Array M = padding_mask({2, 0}, 3, 4);
    Array Y = unwritten<T>("Y", {2, 3, 6});
    attn::cpu::masked_attention<T>(Y.view<T, 3>(), {}, Q.view<T, 3>(), K.view<T, 3>(), V.view<T, 3>(),
                                   M.view<std::uint8_t, 3>());
    BOOST_TEST(is_near(Y, on_arrays::masked_attention<T>(Q, K, V, M).Y, 0));
}

BOOST_AUTO_TEST_SUITE_END()
