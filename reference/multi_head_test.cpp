// Answers computed by hand, edge cases, and sizes that are refused.

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/multi_head_reference.h"
#include "reference/testing/multi_head_inputs.h"
#include "reference/testing/near.h"

using attn::Array;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(multi_head)

namespace {

/// 0, 1, 2, ..
template <class T>
Array counting(const attn::Shape& shape) {
    Array X = Array::zeros<T>("X", shape);
    std::iota(X.as<T>().begin(), X.as<T>().end(), T{0});
    return X;
}

/// Queries, keys and values are the inputs themselves; Y = [O_0, ..].
template <class T>
on_arrays::MultiHeadWeightsArrays identity_layer(int D) {
    on_arrays::MultiHeadWeightsArrays layer = empty_layer<T>(D);
    for (Array* W : {&layer.W_Q, &layer.W_K, &layer.W_V, &layer.W_O})
        for (int d = 0; d < D; ++d) W->view<T, 2>()(d, d) = 1;
    return layer;
}

/// X W + b
template <class T>
Array projected(const Array& X, const Array& W, const Array& b) {
    Array result = product<T>(X, W);
    for (std::size_t k = 0; k < result.count(); ++k) result.as<T>()[k] += b.as<T>()[k % b.count()];
    return result;
}

/// Whether an error names both numbers.
auto names(const std::string& first, const std::string& second) {
    return [=](const std::invalid_argument& error) {
        const std::string text = error.what();
        return text.find(first) != std::string::npos && text.find(second) != std::string::npos;
    };
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(the_worked_example_of_the_handout, T, Reals) {
    const Array X = numbers<T>("X", {1, 2, 4}, {1, 0, 2, -1, 0, 1, 1, 1});
    const auto W = [](const std::vector<double>& w) { return numbers<T>("W", {4, 4}, w); };
    const auto b = [](const std::vector<double>& v) { return numbers<T>("b", {4}, v); };
    const on_arrays::MultiHeadWeightsArrays layer = {
        W({-1, 0, 0, 0, 0, 0, 1, -1, 1, 0, 0, 0, 0, -1, 1, 0}),  b({0, 0, 0, -1}),
        W({1, 0, -1, 0, 0, 0, 0, -1, 0, 1, 0, -1, 0, -1, 0, 1}), b({0, 0, 0, 2}),
        W({-1, 0, -1, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, -1}), b({0, 1, 0, 0}),
        W({1, 1, 1, 0, -1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, -1}),   b({0, 0, 0, 1})};
    BOOST_TEST(is_near(multi_head_of<T>(X, X, layer, 2),
                       {-5.460218, -0.944193, -2.516026, 1.107042, -3.608859, -0.195570, -1.413289, 1.195570},
                       2e-6));
    // With its causal mask, the first token sees only its own value.
    BOOST_TEST(is_near(multi_head_of<T>(X, X, layer, 2, mask_of({1, 2, 2}, {1, 0, 1, 1})),
                       {-6, -1, -3, 1, -3.608859, -0.195570, -1.413289, 1.195570}, 2e-6));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_head_owns_neighbouring_columns, T, Reals) {
    // Two tokens of six numbers; three heads of width 2, then two of width 3.
    const Array X = counting<T>({1, 2, 6});
    BOOST_TEST(is_near(on_arrays::split_heads<T>(X, 3), {0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11}, 0));
    BOOST_TEST(is_near(on_arrays::split_heads<T>(X, 2), {0, 1, 2, 6, 7, 8, 3, 4, 5, 9, 10, 11}, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(heads_are_concatenated, T, Reals) {
    // Two heads of three tokens, width 2; then three heads of two tokens.
    BOOST_TEST(is_near(on_arrays::merge_heads<T>(counting<T>({1, 2, 3, 2})),
                       {0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11}, 0));
    BOOST_TEST(is_near(on_arrays::merge_heads<T>(counting<T>({1, 3, 2, 2})),
                       {0, 1, 4, 5, 8, 9, 2, 3, 6, 7, 10, 11}, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_batch_is_split_separately, T, Reals) {
    const Array X = counting<T>({2, 2, 4});
    BOOST_TEST(
        is_near(on_arrays::split_heads<T>(X, 2), {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}, 0));
    BOOST_TEST(is_near(on_arrays::merge_heads<T>(on_arrays::split_heads<T>(X, 2)), X, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(two_heads_by_hand, T, Reals) {
    // Head 0: q . k_j / sqrt(1) = 0, ln 2, ln 4; head 1: q . k_j = 0, 0, ln 3.
    const Array X_q = numbers<T>("X_q", {1, 1, 2}, {std::log(2.0), std::log(3.0)});
    const Array X_kv = numbers<T>("X_kv", {1, 3, 2}, {0, 0, 1, 0, 2, 1});
    // Weights 1/7, 2/7, 4/7 and 1/5, 1/5, 3/5 of the numbers 0, 1, 2 and 0, 0, 1.
    BOOST_TEST(
        is_near(multi_head_of<T>(X_q, X_kv, identity_layer<T>(2), 2), {10.0 / 7, 3.0 / 5}, kRounding<T>));
    // Without the second key: 1/5, 4/5 and 1/4, 3/4.
    BOOST_TEST(is_near(multi_head_of<T>(X_q, X_kv, identity_layer<T>(2), 2, mask_of({1, 1, 3}, {1, 0, 1})),
                       {8.0 / 5, 3.0 / 4}, kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(scores_are_divided_by_the_root_of_one_heads_width, T, Reals) {
    // Two heads of width 4: q . k_1 = 2 ln 3 in head 0, so that ln 3 is left; values 0 and 1.
    on_arrays::MultiHeadWeightsArrays layer = identity_layer<T>(8);
    Array X_q = Array::zeros<T>("X_q", {1, 1, 8}), X_kv = Array::zeros<T>("X_kv", {1, 2, 8});
    X_q.as<T>()[1] = static_cast<T>(2 * std::log(3.0));
    X_kv.as<T>()[8 + 1] = 1;
    BOOST_TEST(is_near(multi_head_of<T>(X_q, X_kv, layer, 2), {0, 0.75, 0, 0, 0, 0, 0, 0}, kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_single_vector_gets_its_own_value, T, Reals) {
    const Array X = normal<T>("X", {2, 1, 6});
    const on_arrays::MultiHeadWeightsArrays layer = normal_layer<T>(6);
    const Array V = projected<T>(X, layer.W_V, layer.b_V), expected = projected<T>(V, layer.W_O, layer.b_O);
    for (const int H : {1, 2, 6})
        BOOST_TEST(is_near(multi_head_of<T>(X, X, layer, H), expected, kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(as_many_heads_as_numbers, T, Reals) {
    // H = D: head h weights column h of V by column h of Q and K.
    const Array X_q = normal<T>("X_q", {1, 2, 3}), X_kv = normal<T>("X_kv", {1, 4, 3});
    const Array Y = multi_head_of<T>(X_q, X_kv, identity_layer<T>(3), 3);
    const auto q = X_q.view<T, 3>(), x = X_kv.view<T, 3>();
    std::vector<double> expected;
    for (int i = 0; i < 2; ++i) {
        for (int h = 0; h < 3; ++h) {
            double sum = 0, total = 0;
            for (int j = 0; j < 4; ++j) {
                const double e = std::exp(static_cast<double>(q(0, i, h) * x(0, j, h)));
                total += e, sum += e * static_cast<double>(x(0, j, h));
            }
            expected.push_back(sum / total);
        }
    }
    BOOST_TEST(is_near(Y, expected, kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_fully_masked_query_gets_the_output_bias, T, Reals) {
    const on_arrays::MultiHeadWeightsArrays layer = normal_layer<T>(4);
    const Array X = normal<T>("X", {1, 2, 4});
    const Array Y = multi_head_of<T>(X, X, layer, 2, mask_of({1, 2, 2}, {0, 0, 0, 1}));
    std::vector<double> bias, first;
    for (int d = 0; d < 4; ++d) {
        bias.push_back(static_cast<double>(layer.b_O.view<T, 1>()(d)));
        first.push_back(static_cast<double>(Y.view<T, 3>()(0, 0, d)));
    }
    BOOST_TEST(is_near(Array("Y", {4}, first), bias, 0));
    BOOST_TEST(!is_near(Array("Y", {4}, first), std::vector<double>(4, 0.0), 0.1));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(scores_of_1000_leave_exact_weights, T, Reals) {
    const Array X_q = numbers<T>("X_q", {1, 1, 2}, {1000, -1000});
    const Array X_kv = numbers<T>("X_kv", {1, 2, 2}, {1, 1, -1, -1});
    BOOST_TEST(is_near(multi_head_of<T>(X_q, X_kv, identity_layer<T>(2), 2), {1, -1}, 0));
    // A masked score far above the allowed ones does not change them.
    BOOST_TEST(is_near(multi_head_of<T>(X_q, X_kv, identity_layer<T>(2), 2, mask_of({1, 1, 2}, {0, 1})),
                       {-1, -1}, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(heads_that_do_not_divide_the_width_are_refused, T, Reals) {
    const Array X = normal<T>("X", {1, 2, 6});
    Array Y = unwritten<T>("Y", {1, 4, 2, 1});
    const auto split_in_4 = [&] { attn::cpu::split_heads<T>(Y.view<T, 4>(), std::as_const(X).view<T, 3>()); };
    BOOST_CHECK_EXCEPTION(split_in_4(), std::invalid_argument, names("4", "6"));
    const on_arrays::MultiHeadWeightsArrays layer = normal_layer<T>(6);
    BOOST_CHECK_EXCEPTION(multi_head_of<T>(X, X, layer, 5), std::invalid_argument, names("5", "6"));
    BOOST_CHECK_EXCEPTION(multi_head_of<T>(X, X, layer, 12), std::invalid_argument, names("12", "6"));
    BOOST_CHECK_EXCEPTION(multi_head_of<T>(X, X, layer, 0), std::invalid_argument, names("0", "6"));
}

BOOST_AUTO_TEST_SUITE_END()
