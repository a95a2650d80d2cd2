// Answers computed by hand, and edge cases.

#include <cmath>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/self_attention_on_arrays.h"
#include "contracts/self_attention_reference.h"
#include "reference/testing/near.h"

using attn::Array;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(self_attention)

BOOST_AUTO_TEST_CASE_TEMPLATE(the_worked_example_of_the_handout, T, Reals) {
    const Array X = numbers<T>("X", {1, 2, 3}, {1, 0, 2, 0, 1, -1});
    const Array W_Q = numbers<T>("W_Q", {3, 2}, {1, 0, 2, 1, 0, 1});
    const Array W_K = numbers<T>("W_K", {3, 2}, {0, 1, 1, 1, 0.5, -1});
    const Array W_V = numbers<T>("W_V", {3, 2}, {1, -1, 2, 0, 0, 3});
    const std::vector<double> expected = {1.979946, -2.839571, 1.330238, 2.358092};
    BOOST_TEST(is_near(on_arrays::self_attention<T>(X, W_Q, W_K, W_V), expected, 2e-6));
    // The same from Q, K and V on, which are exact.
    const auto attended = on_arrays::scaled_dot_product_attention<T>(
        numbers<T>("Q", {1, 2, 2}, {1, 2, 2, 0}), numbers<T>("K", {1, 2, 2}, {1, -1, 0.5, 2}),
        numbers<T>("V", {1, 2, 2}, {1, 5, 2, -3}));
    BOOST_TEST(is_near(attended.A, {0.020054, 0.979946, 0.669762, 0.330238}, 1e-6));
    BOOST_TEST(is_near(attended.Y, expected, 2e-6));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(softmax_by_hand, T, Reals) {
    const Array X = numbers<T>("X", {2, 3}, {std::log(1.0), std::log(2.0), std::log(4.0), 5, 5, 5});
    BOOST_TEST(is_near(on_arrays::softmax<T>(X), {1.0 / 7, 2.0 / 7, 4.0 / 7, 1.0 / 3, 1.0 / 3, 1.0 / 3},
                       kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(attention_by_hand_with_four_different_sizes, T, Reals) {
    // q . k_j / sqrt(4) = ln 1, ln 2, ln 4 for the first query; the second one is 0.
    const Array Q = numbers<T>("Q", {1, 2, 4}, {0, 2 * std::log(2.0), 0, 0, 0, 0, 0, 0});
    const Array K = numbers<T>("K", {1, 3, 4}, {9, 0, 9, 9, -9, 1, 9, 9, 9, 2, -9, 9});
    const auto attended =
        on_arrays::scaled_dot_product_attention<T>(Q, K, numbers<T>("V", {1, 3, 1}, {7, 21, -14}));
    BOOST_TEST(is_near(attended.A, {1.0 / 7, 2.0 / 7, 4.0 / 7, 1.0 / 3, 1.0 / 3, 1.0 / 3}, kRounding<T>));
    BOOST_TEST(is_near(attended.Y, {-1, 14.0 / 3}, 20 * kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(self_attention_is_attention_of_three_projections, T, Reals) {
    const Array X = normal<T>("X", {2, 4, 3}), W_Q = normal<T>("W_Q", {3, 5}), W_K = normal<T>("W_K", {3, 5}),
                W_V = normal<T>("W_V", {3, 6});
    const auto expected = on_arrays::scaled_dot_product_attention<T>(product<T>(X, W_Q), product<T>(X, W_K),
                                                                     product<T>(X, W_V));
    BOOST_TEST(is_near(on_arrays::self_attention<T>(X, W_Q, W_K, W_V), expected.Y, kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_key_gets_all_of_the_attention, T, Reals) {
    const Array Q = normal<T>("Q", {2, 3, 5}), K = normal<T>("K", {2, 1, 5}), V = normal<T>("V", {2, 1, 6});
    const auto attended = on_arrays::scaled_dot_product_attention<T>(Q, K, V);
    BOOST_TEST(is_near(attended.A, std::vector<double>(2 * 3, 1.0), 0));
    BOOST_TEST(is_near(attended.Y, rows<T>(V, {0, 0, 0}), 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_single_vector_gets_its_own_value, T, Reals) {
    const Array X = normal<T>("X", {2, 1, 3}), W_V = normal<T>("W_V", {3, 6});
    const Array Y = on_arrays::self_attention<T>(X, normal<T>("W_Q", {3, 5}), normal<T>("W_K", {3, 5}), W_V);
    BOOST_TEST(is_near(Y, product<T>(X, W_V), kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rows_of_very_different_size_have_their_own_maximum, T, Reals) {
    const Array X =
        numbers<T>("X", {4, 3}, {1000, -1000, 1000, -1000, -1000, -1001, 1000, 999, -1000, 0, -1, -2});
    const double e = std::exp(1.0), two = e + 1, twice = e + e + 1, three = e * e + e + 1;
    const std::vector<double> expected = {0.5,           0,         0.5,        // two share it
                                          e / twice,     e / twice, 1 / twice,  // all are tiny
                                          e / two,       1 / two,   0,          // two are huge
                                          e * e / three, e / three, 1 / three};
    BOOST_TEST(is_near(on_arrays::softmax<T>(X), expected, kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(scores_of_1000_leave_exact_weights, T, Reals) {
    // q . k_j / sqrt(4) = 1000, -1000, 1000, and their negatives.
    const Array Q = numbers<T>("Q", {1, 2, 4}, {0, 0, 1000, 0, 0, 0, -1000, 0});
    const Array K = numbers<T>("K", {1, 3, 4}, {7, 7, 2, 7, 7, 7, -2, 7, 7, 7, 2, 7});
    const auto attended =
        on_arrays::scaled_dot_product_attention<T>(Q, K, numbers<T>("V", {1, 3, 1}, {1, 2, 5}));
    BOOST_TEST(is_near(attended.A, {0.5, 0, 0.5, 0, 1, 0}, 0));
    BOOST_TEST(is_near(attended.Y, {3, 2}, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(equal_keys_get_equal_weights, T, Reals) {
    const Array Q = normal<T>("Q", {2, 3, 5}), K = rows<T>(normal<T>("K", {2, 3, 5}), {0, 2, 1, 2});
    const auto attended = on_arrays::scaled_dot_product_attention<T>(Q, K, normal<T>("V", {2, 4, 6}));
    const Array& A = attended.A;
    const auto a = A.view<T, 3>();
    for (int b = 0; b < 2; ++b) {
        for (int i = 0; i < 3; ++i) {
            BOOST_TEST(a(b, i, 1) == a(b, i, 3));
            BOOST_TEST(a(b, i, 1) != a(b, i, 0));
        }
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_empty_A_is_not_written_and_Y_is_the_same_bit_for_bit, T, Reals) {
    const Array Q = normal<T>("Q", {2, 3, 5}), K = normal<T>("K", {2, 4, 5}), V = normal<T>("V", {2, 4, 6});
    Array Y = unwritten<T>("Y", {2, 3, 6});
    attn::cpu::scaled_dot_product_attention<T>(Y.view<T, 3>(), {}, Q.view<T, 3>(), K.view<T, 3>(),
                                               V.view<T, 3>());
    BOOST_TEST(is_near(Y, on_arrays::scaled_dot_product_attention<T>(Q, K, V).Y, 0));
}

BOOST_AUTO_TEST_SUITE_END()
