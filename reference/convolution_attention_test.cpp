// Answers computed by hand, and numbers from the tests of other projects. Of those only the numbers are copied.

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/convolution_attention_on_arrays.h"
#include "reference/testing/near.h"

using attn::Array;
using attn::Convolution;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(convolution_attention)

namespace {

/// first, first + 1, ..
template <class T>
Array counted(const std::string& name, const attn::Shape& shape, double first = 0) {
    Array array = unwritten<T>(name, shape);
    std::iota(array.as<T>().begin(), array.as<T>().end(), static_cast<T>(first));
    return array;
}

template <class T>
Array zeros(const std::string& name, const attn::Shape& shape) {
    return Array::zeros<T>(name, shape);
}

/// The 1-D kernels [K, D_in, D_out] of weights [D_out, D_in, K], as PyTorch stores them.
template <class T>
Array from_torch(const Array& W) {
    Array kernel = unwritten<T>("W", {W.shape[2], W.shape[1], W.shape[0]});
    const auto to = kernel.view<T, 3>();
    const auto from = W.view<T, 3>();
    for (int t = 0; t < to.size(0); ++t)
        for (int d = 0; d < to.size(1); ++d)
            for (int o = 0; o < to.size(2); ++o) to(t, d, o) = from(o, d, t);
    return kernel;
}

/// Y without the first and the last `cut` places of each batch.
template <class T>
Array without_edges(const Array& Y, int cut) {
    const auto y = Y.view<T, 3>();
    Array inner = unwritten<T>("Y", {y.size(0), y.size(1) - 2 * cut, y.size(2)});
    const auto to = inner.view<T, 3>();
    for (int b = 0; b < to.size(0); ++b)
        for (int n = 0; n < to.size(1); ++n)
            for (int o = 0; o < to.size(2); ++o) to(b, n, o) = y(b, n + cut, o);
    return inner;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(the_worked_examples_of_the_handout, T, Reals) {
    const Array X = numbers<T>("X", {2, 2, 1}, {1, 3, 5, 7}), gamma = numbers<T>("gamma", {1}, {2}),
                beta = numbers<T>("beta", {1}, {1}), mean = numbers<T>("mean", {1}, {0}),
                variance = numbers<T>("variance", {1}, {1});
    const auto trained = on_arrays::batch_norm<T>(X, gamma, beta, mean, variance, true, T(0.25), T(1e-5));
    BOOST_TEST(is_near(trained.Y, {-1.6833, 0.1056, 1.8944, 3.6833}, 5e-5));
    BOOST_TEST(is_near(trained.mean_new, {1}, kRounding<T>));
    BOOST_TEST(is_near(trained.variance_new, {2.4167}, 5e-5));
    const auto used = on_arrays::batch_norm<T>(X, gamma, beta, mean, variance, false, T(0.25), T(1e-5));
    BOOST_TEST(is_near(used.Y, {3, 7, 11, 15}, 2e-4));
    BOOST_TEST(is_near(used.variance_new, {1}, 0));

    const Array x = numbers<T>("X", {1, 4, 1}, {1, 2, 0, 3}), W = numbers<T>("W", {3, 1, 1}, {1, 10, 100}),
                bias = numbers<T>("bias", {1}, {0});
    BOOST_TEST(is_near(on_arrays::conv1d<T>(x, W, bias, Convolution::centred), {210, 21, 302, 30}, 0));
    BOOST_TEST(is_near(on_arrays::conv1d<T>(x, W, bias, Convolution::causal), {100, 210, 21, 302}, 0));

    const Array grid = numbers<T>("X", {1, 1, 3, 1}, {0, 1, 2}), one = numbers<T>("W_f", {1, 1}, {1});
    const auto attended =
        on_arrays::image_self_attention<T>(grid, one, one, one, numbers<T>("W_v", {1, 1}, {3}), T(0.5));
    BOOST_TEST(
        is_near(attended.A, {0.3333, 0.3333, 0.3333, 0.0900, 0.2447, 0.6652, 0.0159, 0.1173, 0.8668}, 5e-5));
    BOOST_TEST(is_near(attended.Y, {1.5, 3.3628, 4.7764}, 5e-5));

    const auto few = on_arrays::costs<T>(9, 4, 3, Convolution::causal);
    BOOST_TEST(is_near(few.operations, {288, 432, 1080}, 0));
    BOOST_TEST(is_near(few.steps, {9, 1, 1}, 0));
    BOOST_TEST(is_near(few.path, {8, 4, 1}, 0));
    BOOST_TEST(is_near(few.memory, {36, 36, 225}, 0));
    BOOST_TEST(is_near(on_arrays::costs<T>(9, 4, 3, Convolution::centred).path, {8, 8, 1}, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_constant_feature_becomes_beta, T, Reals) {
    const Array X = numbers<T>("X", {3, 1, 1}, {4, 4, 4}), gamma = numbers<T>("gamma", {1}, {2}),
                beta = numbers<T>("beta", {1}, {-1}), old = numbers<T>("mean", {1}, {3});
    const auto y = on_arrays::batch_norm<T>(X, gamma, beta, old, old, true, T(0.5), T(1e-5));
    BOOST_TEST(is_near(y.Y, {-1, -1, -1}, 0));
    BOOST_TEST(is_near(y.mean_new, {3.5}, 0));
    BOOST_TEST(is_near(y.variance_new, {1.5}, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_unknown_kind_is_refused, T, Reals) {
    const auto other = static_cast<Convolution>(2);
    BOOST_CHECK_THROW(on_arrays::costs<T>(4, 2, 3, other), std::invalid_argument);
    BOOST_CHECK_THROW(on_arrays::conv1d<T>(counted<T>("X", {1, 2, 1}), counted<T>("W", {1, 1, 1}),
                                           zeros<T>("bias", {1}), other),
                      std::invalid_argument);
}

// The path as it can be walked: layer by layer, which places know something of a first one.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_path_is_the_number_of_convolutions_that_it_takes, T, Reals) {
    const auto know = [](int N, int K, Convolution kind) {
        Array X = zeros<T>("X", {1, N, 1});
        X.as<T>()[0] = 1;
        Array W = zeros<T>("W", {K, 1, 1});
        for (T& w : W.as<T>()) w = 1;
        int layers = 0;
        while (X.as<T>().back() == 0 && layers < N) {
            X = on_arrays::conv1d<T>(X, W, zeros<T>("bias", {1}), kind);
            ++layers;
        }
        return layers;
    };
    for (const auto& [N, K] : std::vector<std::pair<int, int>>{{9, 3}, {9, 5}, {10, 5}, {2, 7}}) {
        for (const Convolution kind : {Convolution::centred, Convolution::causal})
            BOOST_TEST((on_arrays::costs<T>(N, 1, K, kind).path.template as<T>()[1] == T(know(N, K, kind))));
    }
}

// github.com/pytorch/pytorch, test/cpp/api/modules.cpp, the tests Conv1d, which pads nothing, and BatchNorm1d, which has
// learned nothing and stores features before places. BSD-3-Clause.
BOOST_AUTO_TEST_CASE_TEMPLATE(pytorch_conv1d, T, Reals) {
    const Array stored = counted<T>("X", {2, 3, 5});
    Array X = unwritten<T>("X", {2, 5, 3});
    for (int b = 0; b < 2; ++b)
        for (int n = 0; n < 5; ++n)
            for (int d = 0; d < 3; ++d) X.view<T, 3>()(b, n, d) = stored.view<T, 3>()(b, d, n);
    const Array Y = on_arrays::conv1d<T>(X, from_torch<T>(counted<T>("W", {2, 3, 3})), zeros<T>("bias", {2}),
                                         Convolution::centred);
    BOOST_TEST(
        is_near(without_edges<T>(Y, 1), {312, 798, 348, 915, 384, 1032, 852, 2553, 888, 2670, 924, 2787}, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(pytorch_batch_norm_1d, T, Reals) {
    Array X = unwritten<T>("X", {2, 2, 5}), ones = zeros<T>("gamma", {5});
    for (T& one : ones.as<T>()) one = 1;
    std::vector<double> wanted(20);
    const double published[] = {0,       1,       2,       3,       4,       5,       6,
                                7,       8,       9,       10,      10.9999, 11.9999, 12.9999,
                                13.9999, 14.9999, 15.9999, 16.9999, 17.9999, 18.9999};
    for (std::size_t b = 0; b < 2; ++b)
        for (std::size_t n = 0; n < 2; ++n)
            for (std::size_t d = 0; d < 5; ++d) {
                X.as<T>()[(2 * b + n) * 5 + d] = static_cast<T>((5 * b + d) * 2 + n);
                wanted[(2 * b + n) * 5 + d] = published[(5 * b + d) * 2 + n];
            }
    const Array nothing = zeros<T>("beta", {5});
    const auto y = on_arrays::batch_norm<T>(X, ones, nothing, nothing, ones, false, T(0.1), T(1e-5));
    BOOST_TEST(is_near(y.Y, wanted, 1e-4));
}

// github.com/tensorflow/tensorflow, commit 0304934138cbfabd338ec432a630a9c3c1191564,
// tensorflow/python/kernel_tests/nn_ops/conv1d_test.py, testBasic, which pads nothing. Apache-2.0.
BOOST_AUTO_TEST_CASE_TEMPLATE(tensorflow_conv1d, T, Reals) {
    const Array Y = on_arrays::conv1d<T>(counted<T>("X", {1, 4, 1}, 1), numbers<T>("W", {2, 1, 1}, {2, 1}),
                                         zeros<T>("bias", {1}), Convolution::causal);
    BOOST_TEST(is_near(Y, {1, 2 * 1 + 1 * 2, 2 * 2 + 1 * 3, 2 * 3 + 1 * 4}, 0));
}

// github.com/onnx/onnx, commit 0ecb0b17a4ee4357874d5229abe5b5bd77dd1d4e, onnx/backend/test/case/node/conv.py,
// test_basic_conv_with_padding, a kernel of 3 x 3 ones on an image. Apache-2.0. For one row of the output, the row
// before it, it, and the row after it are three features.
BOOST_AUTO_TEST_CASE_TEMPLATE(onnx_conv_row_by_row, T, Reals) {
    const double wanted[5][5] = {{12, 21, 27, 33, 24},
                                 {33, 54, 63, 72, 51},
                                 {63, 99, 108, 117, 81},
                                 {93, 144, 153, 162, 111},
                                 {72, 111, 117, 123, 84}};
    Array X = zeros<T>("X", {5, 5, 3}), W = zeros<T>("W", {3, 3, 1});
    for (T& w : W.as<T>()) w = 1;
    std::vector<double> all;
    for (int row = 0; row < 5; ++row)
        for (int n = 0; n < 5; ++n) {
            all.push_back(wanted[row][n]);
            for (int d = 0; d < 3; ++d)
                if (const int from = row + d - 1; from >= 0 && from < 5)
                    X.view<T, 3>()(row, n, d) = static_cast<T>(5 * from + n);
        }
    BOOST_TEST(is_near(on_arrays::conv1d<T>(X, W, zeros<T>("bias", {1}), Convolution::centred), all, 0));
}

BOOST_AUTO_TEST_SUITE_END()
