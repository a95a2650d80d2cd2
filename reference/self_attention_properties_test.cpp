// Properties that follow from the formulas for any numbers.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/self_attention_on_arrays.h"
#include "contracts/self_attention_reference.h"
#include "reference/testing/near.h"

using attn::Array;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(self_attention_properties)

namespace {

/// Sizes that all differ, so that none can replace another.
template <class T>
struct Inputs {
    const Array Q = normal<T>("Q", {2, 3, 5}), K = normal<T>("K", {2, 4, 5}), V = normal<T>("V", {2, 4, 6});
    const Array X = normal<T>("X", {2, 4, 3});
    const Array W_Q = normal<T>("W_Q", {3, 2}), W_K = normal<T>("W_K", {3, 2}),
                W_V = normal<T>("W_V", {3, 6});
};

const std::vector<int> kOrder = {2, 0, 3, 1};

/// Batch b of X, [1, N, D].
template <class T>
Array batch(const Array& X, int b) {
    const T* first = X.view<T, 3>()[b].data();
    return Array(X.name, {1, X.shape[1], X.shape[2]}, std::vector<T>(first, first + X.shape[1] * X.shape[2]));
}

/// X with every x replaced by f(x, k), where k is its place.
template <class T, class F>
Array each(Array X, const F& f) {
    for (std::size_t k = 0; k < X.count(); ++k) X.as<T>()[k] = static_cast<T>(f(X.as<T>()[k], k));
    return X;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(rows_of_A_sum_to_one, T, Reals) {
    const Inputs<T> in;
    const auto attended = on_arrays::scaled_dot_product_attention<T>(in.Q, in.K, in.V);
    const Array& A = attended.A;
    const auto a = A.view<T, 3>();
    for (int b = 0; b < 2; ++b) {
        for (int i = 0; i < 3; ++i) {
            double sum = 0;
            for (int j = 0; j < 4; ++j) {
                const T weight = a(b, i, j);
                BOOST_TEST(weight > 0);
                BOOST_TEST(weight < 1);
                sum += static_cast<double>(weight);
            }
            BOOST_TEST(std::abs(sum - 1) <= kRounding<T>);
        }
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(permuting_the_sequence_permutes_the_output, T, Reals) {
    const Inputs<T> in;
    const Array Y = on_arrays::self_attention<T>(in.X, in.W_Q, in.W_K, in.W_V);
    BOOST_TEST(is_near(on_arrays::self_attention<T>(rows<T>(in.X, kOrder), in.W_Q, in.W_K, in.W_V),
                       rows<T>(Y, kOrder), kRounding<T>));
    BOOST_TEST(!is_near(Y, rows<T>(Y, kOrder), 0.1));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(permuting_keys_and_values_together_changes_nothing, T, Reals) {
    const Inputs<T> in;
    const Array Y = on_arrays::scaled_dot_product_attention<T>(in.Q, in.K, in.V).Y, K = rows<T>(in.K, kOrder);
    BOOST_TEST(is_near(on_arrays::scaled_dot_product_attention<T>(in.Q, K, rows<T>(in.V, kOrder)).Y, Y,
                       kRounding<T>));
    BOOST_TEST(!is_near(on_arrays::scaled_dot_product_attention<T>(in.Q, K, in.V).Y, Y, 0.1));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(adding_one_vector_to_every_key_changes_nothing, T, Reals) {
    const Inputs<T> in;
    const Array shifted =
        each<T>(in.K, [](T k, std::size_t place) { return k + static_cast<T>(place % 5) - 2; });
    BOOST_TEST(is_near(on_arrays::scaled_dot_product_attention<T>(in.Q, shifted, in.V).Y,
                       on_arrays::scaled_dot_product_attention<T>(in.Q, in.K, in.V).Y, kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(adding_a_constant_to_a_row_changes_no_softmax, T, Reals) {
    const Array X = normal<T>("X", {3, 5});
    const Array shifted = each<T>(X, [](T x, std::size_t place) {
        const std::size_t row = place / 5;
        return x + T{10} * static_cast<T>(row) - 8;
    });
    BOOST_TEST(is_near(on_arrays::softmax<T>(shifted), on_arrays::softmax<T>(X), kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(outputs_lie_in_the_hull_of_the_values, T, Reals) {
    const Inputs<T> in;
    const auto attended = on_arrays::scaled_dot_product_attention<T>(in.Q, in.K, in.V);
    const Array &Y = attended.Y, &V = in.V;
    const auto y = Y.view<T, 3>(), v = V.view<T, 3>();
    for (int b = 0; b < 2; ++b) {
        for (int d = 0; d < 6; ++d) {
            const auto [low, high] = std::minmax({v(b, 0, d), v(b, 1, d), v(b, 2, d), v(b, 3, d)});
            for (int i = 0; i < 3; ++i) BOOST_TEST((low < y(b, i, d) && y(b, i, d) < high));
        }
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(batches_are_independent, T, Reals) {
    const Inputs<T> in;
    const auto together = on_arrays::scaled_dot_product_attention<T>(in.Q, in.K, in.V);
    const Array layer = on_arrays::self_attention<T>(in.X, in.W_Q, in.W_K, in.W_V);
    for (int b = 0; b < 2; ++b) {
        const auto alone = on_arrays::scaled_dot_product_attention<T>(batch<T>(in.Q, b), batch<T>(in.K, b),
                                                                      batch<T>(in.V, b));
        BOOST_TEST(is_near(batch<T>(together.Y, b), alone.Y, 0));
        BOOST_TEST(is_near(batch<T>(together.A, b), alone.A, 0));
        BOOST_TEST(is_near(batch<T>(layer, b),
                           on_arrays::self_attention<T>(batch<T>(in.X, b), in.W_Q, in.W_K, in.W_V), 0));
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(queries_of_zero_get_the_mean_of_the_values, T, Reals) {
    const Inputs<T> in;
    const auto attended =
        on_arrays::scaled_dot_product_attention<T>(Array::zeros<T>("Q", {2, 3, 5}), in.K, in.V);
    const Array quarters = numbers<T>("A", {2, 3, 4}, std::vector<double>(24, 0.25));
    BOOST_TEST(is_near(attended.A, quarters, 0));
    for (int b = 0; b < 2; ++b)
        BOOST_TEST(
            is_near(batch<T>(attended.Y, b),
                    product<T>(batch<T>(quarters, b), Array("V", {4, 6}, batch<T>(in.V, b).template as<T>())),
                    kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(output_is_affine_in_the_values, T, Reals) {
    const Inputs<T> in;
    const auto combined = [](const Array& v, const Array& u) {
        return each<T>(v, [&u](T x, std::size_t place) { return 3 * x - 2 * u.as<T>()[place] + 5; });
    };
    const Array U = normal<T>("U", {2, 4, 6}),
                f_V = on_arrays::scaled_dot_product_attention<T>(in.Q, in.K, in.V).Y,
                f_U = on_arrays::scaled_dot_product_attention<T>(in.Q, in.K, U).Y;
    BOOST_TEST(is_near(on_arrays::scaled_dot_product_attention<T>(in.Q, in.K, combined(in.V, U)).Y,
                       combined(f_V, f_U), 5 * kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(W_Q_M_with_W_K_M_to_the_minus_T_changes_nothing, T, Reals) {
    const Inputs<T> in;
    const Array Y = on_arrays::self_attention<T>(in.X, in.W_Q, in.W_K, in.W_V);
    const Array W_Q_M = product<T>(in.W_Q, numbers<T>("M", {2, 2}, {2, 1, 3, 2}));
    const Array W_K_M = product<T>(in.W_K, numbers<T>("M^-T", {2, 2}, {2, -3, -1, 2}));
    BOOST_TEST(is_near(on_arrays::self_attention<T>(in.X, W_Q_M, W_K_M, in.W_V), Y, 10 * kRounding<T>));
    BOOST_TEST(!is_near(on_arrays::self_attention<T>(in.X, W_Q_M, in.W_K, in.W_V), Y, 0.1));
}

BOOST_AUTO_TEST_SUITE_END()
