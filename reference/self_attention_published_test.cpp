// Agreement with numbers from the tests of other projects. Only the numbers are copied.

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

BOOST_AUTO_TEST_SUITE(self_attention_published)

namespace {

/// Queries times sqrt(D_q): they cancel the scale 1 / sqrt(D_q), for sources without a scale.
template <class T>
Array unscaled(const attn::Shape& shape, std::vector<double> queries) {
    for (double& q : queries) q *= std::sqrt(shape.back());
    return numbers<T>("Q", shape, queries);
}

/// Columns first and first + 1 of W, with the same numbers of the bias as its last row.
template <class T>
Array two_columns(const std::vector<double>& W, const std::vector<double>& bias, std::size_t first) {
    std::vector<double> values;
    for (std::size_t row = 0; row < W.size() / bias.size(); ++row)
        for (const std::size_t d : {first, first + 1}) values.push_back(W[row * bias.size() + d]);
    values.insert(values.end(), {bias[first], bias[first + 1]});
    return numbers<T>("W", {static_cast<int>(values.size() / 2), 2}, values);
}

}  // namespace

// github.com/keras-team/keras, commit f9336cc5114b4a9429a242deb264b707379646b7,
// keras/layers/attention/base_dense_attention_test.py, test_multi_dim_no_mask. Apache-2.0.
BOOST_AUTO_TEST_CASE_TEMPLATE(keras_softmax_and_weighted_sum, T, Reals) {
    const std::vector<double> weights = {0.42231879825, 0.15536240349, 0.42231879825};
    BOOST_TEST(is_near(on_arrays::softmax<T>(numbers<T>("scores", {1, 3}, {1, 0, 1})), weights, 1e-6, 1e-5));
    const auto attended = on_arrays::scaled_dot_product_attention<T>(
        numbers<T>("Q", {1, 1, 1}, {1}), numbers<T>("K", {1, 3, 1}, {1, 0, 1}),
        numbers<T>("V", {1, 3, 1}, {1.6, 0.7, -0.8}));
    BOOST_TEST(is_near(attended.A, weights, 1e-6, 1e-5));
    BOOST_TEST(is_near(attended.Y, {0.44660872104}, 1e-6, 1e-5));
}

// github.com/keras-team/keras, commit 3422977a5e38fb2f7709aaa9a08e47f0c43d0f60,
// keras/src/layers/attention/attention_test.py, test_attention_correctness (score_mode "dot"). Apache-2.0.
BOOST_AUTO_TEST_CASE_TEMPLATE(keras_attention, T, Reals) {
    const auto attended = on_arrays::scaled_dot_product_attention<T>(
        unscaled<T>({1, 2, 2}, {1, 0, 0, 1}), numbers<T>("K", {1, 2, 2}, {0, 1, 1, 0}),
        numbers<T>("V", {1, 2, 2}, {1, 2, 3, 4}));
    BOOST_TEST(is_near(attended.Y, {2.462, 3.462, 1.538, 2.538}, 1e-3));
    BOOST_TEST(is_near(attended.A, {0.269, 0.731, 0.731, 0.269}, 1e-3));
}

// github.com/yeoedward/Robust-Fill, test_nn.py, test_luong_attention, batches 0 and 1 (which have no padding)
// of its first numbers; commit ab11fff5bf7c09e1118037413a36c88523fb84cd holds the file with later ones. MIT.
BOOST_AUTO_TEST_CASE_TEMPLATE(robust_fill_luong_attention, T, Reals) {
    const Array K = numbers<T>("K", {2, 3, 3},
                               {0.1, 0.2, 0.3, 0.7, 0.8, 0.9, 0.6, 0.5, 0.4,  //
                                0.4, 0.5, 0.6, 0.9, 0.8, 0.7, 0.3, 0.2, 0.1});
    const auto attended =
        on_arrays::scaled_dot_product_attention<T>(unscaled<T>({2, 1, 3}, {1, 2, 3, 4, 5, 6}), K, K);
    BOOST_TEST(is_near(attended.Y,
                       {0.6758598685, 0.7563887239, 0.8369175196, 0.8917768598, 0.7950369716, 0.6982971430},
                       1e-6, 1e-5));
}

// github.com/allenai/allennlp, commit 80fb6061e568cb9d6ab5d45b661e86eb61b92c82,
// tests/modules/matrix_attention/scaled_dot_product_matrix_attention_test.py, test_dot_product_similarity.
// Apache-2.0. It prints scores; log(A_i1 / A_i0) is the difference of two.
BOOST_AUTO_TEST_CASE(allennlp_scaled_scores) {
    const auto attended = on_arrays::scaled_dot_product_attention<double>(
        numbers<double>("Q", {2, 2, 3}, {0, 0, 0, 4, 5, 6, -7, -8, -9, 10, 11, 12}),
        numbers<double>("K", {2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}),
        Array::zeros<double>("V", {2, 2, 1}));
    const Array& A = attended.A;
    const auto a = A.view<double, 3>();
    std::vector<double> differences;
    for (int b = 0; b < 2; ++b)
        for (int i = 0; i < 2; ++i) differences.push_back(std::log(a(b, i, 1) / a(b, i, 0)));
    const double root = std::sqrt(3.0);
    BOOST_TEST(is_near(Array("log(A_i1 / A_i0)", {4}, differences),
                       {0, (77 - 32) / root, (-266 + 194) / root, (365 - 266) / root}, 1e-6, 1e-5));
}

// github.com/microsoft/onnxruntime, commit 0064128cd557a9e94397011e4bdeceac2870f8c8,
// onnxruntime/test/contrib_ops/attention_op_test.cc, AttentionTest.AttentionBatch1. MIT.
// Two heads of width 2, computed as two separate layers. The bias is the last row of the weights; X gets a
// column of ones for it. Columns of W are [q | k | v]; head h owns columns 2 h and 2 h + 1 of each.
BOOST_AUTO_TEST_CASE_TEMPLATE(onnxruntime_attention_head_by_head, T, Reals) {
    const Array X = numbers<T>("X", {1, 2, 5}, {0.8, -0.5, 0.0, 1, 1, 0.5, 0.2, 0.3, -0.6, 1});
    const std::vector<double> W = {0.1, -0.2, 0.3, 1.0, 1.1, 0.3, 0.5, 0.2, 0.3, -0.6, 1.5,  2.0,  //
                                   0.5, 0.1,  0.4, 1.6, 1.0, 2.0, 0.4, 0.8, 0.9, 0.1,  -1.3, 0.7,  //
                                   0.3, 0.2,  4.0, 2.2, 1.6, 1.1, 0.7, 0.2, 0.4, 1.0,  1.2,  0.5,  //
                                   0.2, 0.1,  0.4, 1.6, 2.4, 3.3, 2.1, 4.2, 8.4, 0.0,  2.1,  3.2};
    const std::vector<double> bias = {-0.5, 0.6, 1.2, 2.1, 0.5, 0.7, 0.2, 1.2, 0.5, 0.4, 0.3, 1.2};
    const std::vector<double> expected[] = {
        {3.1495983600616455, 0.10843668878078461, 3.9696791172027588, 0.073143675923347473},
        {4.25, 5.6499996185302734, 4.2499995231628418, 5.6499991416931152}};
    for (const std::size_t h : {0U, 1U}) {
        const Array W_Q = two_columns<T>(W, bias, 2 * h), W_K = two_columns<T>(W, bias, 4 + 2 * h),
                    W_V = two_columns<T>(W, bias, 8 + 2 * h);
        BOOST_TEST(is_near(on_arrays::self_attention<T>(X, W_Q, W_K, W_V), expected[h], 2e-5, 1e-4));
    }
}

BOOST_AUTO_TEST_SUITE_END()
