// Answers computed by hand, properties that the grader cannot ask of one call, and numbers from the tests of other
// projects. Of those only the numbers are copied.

#include <cmath>
#include <set>
#include <stdexcept>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/positional_encoding_on_arrays.h"
#include "contracts/self_attention_on_arrays.h"
#include "reference/testing/near.h"

using attn::Array;
using attn::Naive;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(positional_encoding)

namespace {

/// f of every row i and column j of a matrix.
template <class T, class F>
Array matrix(int rows, int columns, const F& f) {
    Array result = unwritten<T>("", {rows, columns});
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) result.view<T, 2>()(i, j) = static_cast<T>(f(i, j));
    return result;
}

const std::vector<int> kReversed = {4, 3, 2, 1, 0};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(the_worked_examples_of_the_handout, T, Reals) {
    BOOST_TEST(is_near(on_arrays::sinusoidal_positions<T>(3, 4),
                       {0, 1, 0, 1, 0.8415, 0.5403, 0.0100, 0.99995, 0.9093, -0.4161, 0.0200, 0.9998}, 5e-5));
    const auto attended = on_arrays::relative_attention<T>(
        numbers<T>("Q", {1, 3, 1}, {1, 2, 0}), numbers<T>("K", {1, 3, 1}, {1, -1, 2}),
        numbers<T>("V", {1, 3, 1}, {3, 0, 6}), numbers<T>("R_K", {3, 1}, {-1, 0, 1}),
        numbers<T>("R_V", {3, 1}, {0, 1, 2}), 1);
    BOOST_TEST(
        is_near(attended.A, {0.1142, 0.0420, 0.8438, 0.0025, 0.0003, 0.9972, 0.3333, 0.3333, 0.3333}, 5e-5));
    BOOST_TEST(is_near(attended.Y, {7.2912, 7.9853, 3.3333}, 5e-5));
    BOOST_TEST(
        is_near(on_arrays::rotary_positions<T>(numbers<T>("X", {1, 2, 4}, {1, 0, 2, 1, 1, 0, 2, 1}), 0),
                {1, 0, 2, 1, 0.5403, 0.8415, 1.9899, 1.0199}, 5e-5));
    BOOST_TEST(
        is_near(on_arrays::alibi_bias<T>(2, 2), {0, -0.0625, -0.0625, 0, 0, -1 / 256.0, -1 / 256.0, 0}, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_naive_ones_and_how_each_fails, T, Reals) {
    BOOST_TEST(is_near(on_arrays::naive_positions<T>(3, 2, Naive::index), {0, 0, 1, 1, 2, 2}, 0));
    // The same position has another fraction in a longer sequence.
    BOOST_TEST(is_near(on_arrays::naive_positions<T>(4, 1, Naive::fraction), {0, 0.25, 0.5, 0.75}, 0));
    BOOST_TEST(
        is_near(on_arrays::naive_positions<T>(5, 1, Naive::fraction), {0, 0.2, 0.4, 0.6, 0.8}, kRounding<T>));
    const Array saturated = on_arrays::naive_positions<T>(31, 1, Naive::saturating);
    BOOST_TEST(saturated.as<T>()[1] == std::tanh(T(1)));
    BOOST_TEST(saturated.as<T>()[20] == saturated.as<T>()[30]);
    const Array sine = on_arrays::naive_positions<T>(23, 1, Naive::one_sine);
    BOOST_TEST(sine.as<T>()[1] == std::sin(T(1)));
    for (std::size_t p = 0; p < 23; ++p) BOOST_TEST(std::abs(sine.as<T>()[p] - sine.as<T>()[22 - p]) < 0.018);
    BOOST_CHECK_THROW(on_arrays::naive_positions<T>(2, 2, static_cast<Naive>(4)), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(positions_below_10000_all_differ, T, Reals) {
    const Array P = on_arrays::sinusoidal_positions<T>(10000, 4);
    std::set<std::vector<T>> rows;
    for (auto at = P.as<T>().begin(); at != P.as<T>().end(); at += 4) rows.insert({at, at + 4});
    BOOST_TEST(rows.size() == 10000U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_odd_width_ends_with_a_sine, T, Reals) {
    const Array P = on_arrays::sinusoidal_positions<T>(3, 5);
    BOOST_TEST(is_near(Array("last", {2}, std::vector<T>{P.as<T>()[9], P.as<T>()[14]}),
                       {std::sin(std::pow(10000, -0.8)), std::sin(2 * std::pow(10000, -0.8))}, kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(added_and_concatenated_by_hand, T, Reals) {
    const Array X = numbers<T>("X", {2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}),
                P = numbers<T>("P", {2, 2}, {10, 20, 30, 40});
    BOOST_TEST(is_near(on_arrays::add_positions<T>(X, P), {11, 22, 33, 44, 15, 26, 37, 48}, 0));
    BOOST_TEST(is_near(on_arrays::concatenate_positions<T>(X, P),
                       {1, 2, 10, 20, 3, 4, 30, 40, 5, 6, 10, 20, 7, 8, 30, 40}, 0));
}

// Without positions f(P X) = P f(X), with them not.
BOOST_AUTO_TEST_CASE_TEMPLATE(attention_knows_the_order_only_by_positions, T, Reals) {
    const Array X = normal<T>("X", {1, 5, 4}), W_Q = normal<T>("W_Q", {4, 3}), W_K = normal<T>("W_K", {4, 3}),
                W_V = normal<T>("W_V", {4, 2}), P = on_arrays::sinusoidal_positions<T>(5, 4);
    const auto layer = [&](const Array& x) { return on_arrays::self_attention<T>(x, W_Q, W_K, W_V); };
    const auto with_positions = [&](const Array& x) { return layer(on_arrays::add_positions<T>(x, P)); };
    BOOST_TEST(is_near(layer(rows<T>(X, kReversed)), rows<T>(layer(X), kReversed), kRounding<T>));
    BOOST_TEST(!is_near(with_positions(rows<T>(X, kReversed)), rows<T>(with_positions(X), kReversed), 0.1));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(no_learned_distances_leave_plain_attention, T, Reals) {
    const Array Q = normal<T>("Q", {2, 5, 3}), K = normal<T>("K", {2, 5, 3}), V = normal<T>("V", {2, 5, 4});
    const auto plain = on_arrays::scaled_dot_product_attention<T>(Q, K, V);
    const auto relative = on_arrays::relative_attention<T>(Q, K, V, Array::zeros<T>("R_K", {5, 3}),
                                                           Array::zeros<T>("R_V", {5, 4}), 2);
    BOOST_TEST(is_near(relative.A, plain.A, kRounding<T>));
    BOOST_TEST(is_near(relative.Y, plain.Y, kRounding<T>));
    BOOST_TEST(!is_near(on_arrays::rotary_attention<T>(rows<T>(V, {0, 1, 2, 3, 4}), V, V).A,
                        on_arrays::scaled_dot_product_attention<T>(V, V, V).A, 0.01));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rotations_add_up_and_go_back, T, Reals) {
    const Array X = normal<T>("X", {2, 1, 6});
    const Array twice = on_arrays::rotary_positions<T>(on_arrays::rotary_positions<T>(X, 3), 4);
    BOOST_TEST(is_near(twice, on_arrays::rotary_positions<T>(X, 7), kRounding<T>));
    BOOST_TEST(
        is_near(on_arrays::rotary_positions<T>(on_arrays::rotary_positions<T>(X, 5), -5), X, kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_slopes_of_eight_heads_are_halves, T, Reals) {
    const Array bias = on_arrays::alibi_bias<T>(8, 3);
    for (int h = 0; h < 8; ++h) BOOST_TEST((bias.view<T, 3>()(h, 2, 0) == -2 * std::ldexp(T(1), -h - 1)));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_odd_width_has_no_pairs, T, Reals) {
    const Array X = normal<T>("X", {1, 2, 3}), V = normal<T>("V", {1, 2, 2});
    BOOST_CHECK_THROW(on_arrays::rotary_positions<T>(X, 0), std::invalid_argument);
    BOOST_CHECK_THROW(on_arrays::rotary_attention<T>(X, X, V), std::invalid_argument);
    BOOST_CHECK_NO_THROW(on_arrays::rotary_attention<T>(V, V, X));
}

// github.com/keras-team/keras-hub, commit 71453d08f59edc90d276e999319fc51e61cbf82c,
// keras_hub/src/layers/modeling/sine_position_encoding_test.py, test_positions and test_output_correct_values.
// Apache-2.0.
BOOST_AUTO_TEST_CASE_TEMPLATE(keras_hub_sinusoid, T, Reals) {
    BOOST_TEST(is_near(on_arrays::sinusoidal_positions<T>(2, 4),
                       {0, 1, 0, 1, 0.84147, 0.5403, 0.009999, 0.99995}, 1e-5, 1e-5));
    const Array row_3 = matrix<T>(1, 6, [P = on_arrays::sinusoidal_positions<T>(4, 6)](int, int d) {
        return P.template view<T, 2>()(3, d);
    });
    BOOST_TEST(is_near(row_3, {0.14112, -0.98999, 0.13879, 0.99032, 0.00646, 0.99997}, 1e-5));
}

// github.com/stanford-cs336/assignment1-basics, commit 25a8a49f6460c83a30416d42348f2ef11d1dd185,
// tests/_snapshots/test_rope.npz: the first four pairs and the last one of vector 11 of batch 0, D = 64. MIT.
BOOST_AUTO_TEST_CASE_TEMPLATE(cs336_rope, T, Reals) {
    std::vector<double> x(64), y(64);
    const double from[] = {-1.01126051, 0.45162994,  -2.36798763, 0.07286932, -0.41527826,
                           -1.40922546, -0.46886456, 0.69476849,  0.51477367, 0.71797502},
                 to[] = {0.44714993,  1.01324940, 0.84364164, -2.21380758, -0.55039316,
                         -1.36214519, 0.72741777, 0.41641390, 0.51371992,  0.71872938};
    for (std::size_t k = 0; k < 10; ++k) {
        x[k < 8 ? k : k + 54] = from[k];
        y[k < 8 ? k : k + 54] = to[k];
    }
    BOOST_TEST(is_near(on_arrays::rotary_positions<T>(numbers<T>("X", {1, 1, 64}, x), 11), y, 2e-6, 1e-5));
}

// github.com/keras-team/keras-hub, the same commit, rotary_embedding_test.py, test_positions_2d_array: position 1 of
// batch 1. Apache-2.0. It pairs number i with number i + 8.
BOOST_AUTO_TEST_CASE_TEMPLATE(keras_hub_rope_of_halves, T, Reals) {
    const std::vector<double> x = {1.80163491,  1.31510377,  0.35738042,  -1.20831859,
                                   -0.00445413, 0.65647495,  -1.28836143, 0.39512205,
                                   0.42986369,  0.69604272,  -1.18411791, -0.66170257,
                                   -0.43643525, -1.16980195, 1.73936784,  -0.49591073},
                              y = {0.61170959,  1.03343689, 0.47380957, -1.18679309, -0.00008963, 0.66017091,
                                   -1.29010022, 0.39527884, 1.74827969, 1.07050526,  -1.14252377, -0.69957578,
                                   -0.43645799, -1.1677202, 1.73807859, -0.49578574};
    std::vector<double> x_pairs, y_pairs;
    for (std::size_t i = 0; i < 8; ++i) {
        x_pairs.insert(x_pairs.end(), {x[i], x[i + 8]});
        y_pairs.insert(y_pairs.end(), {y[i], y[i + 8]});
    }
    BOOST_TEST(is_near(on_arrays::rotary_positions<T>(numbers<T>("X", {1, 1, 16}, x_pairs), 1), y_pairs, 1e-6,
                       1e-5));
}

// github.com/OpenNMT/OpenNMT-tf, commit 6f3b952ebb973dec31250a806bf0f56ff730d0b5, opennmt/tests/transformer_test.py,
// testRelativePositions: the row of the distance from i to j. MIT. In batch j every query sees key j alone, so that Y
// is the row's number.
BOOST_AUTO_TEST_CASE_TEMPLATE(opennmt_relative_positions, T, Reals) {
    const int wanted[4][4] = {{2, 3, 4, 4}, {1, 2, 3, 4}, {0, 1, 2, 3}, {0, 0, 1, 2}};
    const Array R_K = Array::zeros<T>("R_K", {5, 4}), R_V = matrix<T>(5, 1, [](int r, int) { return r; });
    for (int j = 0; j < 4; ++j) {
        Array Q = matrix<T>(4, 4, [j](int, int d) { return d == j ? 1000 : 0; });
        Array K = matrix<T>(4, 4, [](int k, int d) { return d == k ? 1000 : 0; });
        Q.shape = K.shape = {1, 4, 4};
        const Array Y =
            on_arrays::relative_attention<T>(Q, K, Array::zeros<T>("V", {1, 4, 1}), R_K, R_V, 2).Y;
        for (int i = 0; i < 4; ++i) BOOST_TEST((Y.view<T, 3>()(0, i, 0) == T(wanted[i][j])));
    }
}

BOOST_AUTO_TEST_SUITE_END()
