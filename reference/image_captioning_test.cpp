// Answers computed by hand, and numbers from the tests of other projects. Of those only the numbers are copied.

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/image_captioning_on_arrays.h"
#include "reference/testing/near.h"

using attn::Array;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(image_captioning)

namespace {

/// 0, 1, 2, .. as PyTorch and ONNX store images, with the features before the rows, and kernels, [D_out, D_in, 3, 3].
template <class T>
Array counted(const attn::Shape& stored) {
    Array array = unwritten<T>("", stored);
    std::iota(array.as<T>().begin(), array.as<T>().end(), T(0));
    return array;
}

template <class T>
Array image_from(const Array& stored) {
    Array X = unwritten<T>("X", {stored.shape[0], stored.shape[2], stored.shape[3], stored.shape[1]});
    const auto x = X.view<T, 4>();
    const auto from = stored.view<T, 4>();
    for (int b = 0; b < x.size(0); ++b)
        for (int r = 0; r < x.size(1); ++r)
            for (int k = 0; k < x.size(2); ++k)
                for (int d = 0; d < x.size(3); ++d) x(b, r, k, d) = from(b, d, r, k);
    return X;
}

template <class T>
Array kernel_from(const Array& stored) {
    Array W = unwritten<T>("W", {3, 3, stored.shape[1], stored.shape[0]});
    const auto w = W.view<T, 4>();
    const auto from = stored.view<T, 4>();
    for (int p = 0; p < 3; ++p)
        for (int q = 0; q < 3; ++q)
            for (int d = 0; d < w.size(2); ++d)
                for (int o = 0; o < w.size(3); ++o) w(p, q, d, o) = from(o, d, p, q);
    return W;
}

template <class T>
Array ones(const attn::Shape& shape) {
    Array W = Array::zeros<T>("W", shape);
    for (T& w : W.as<T>()) w = 1;
    return W;
}

template <class T>
Array none(int count) {
    return Array::zeros<T>("bias", {count});
}

Array words(const attn::Shape& shape, std::vector<std::int32_t> tokens) {
    return {"y", shape, std::move(tokens)};
}

/// The handout's captioner: three words, vectors of one number.
template <class T>
on_arrays::CaptionWeightsArrays captioner() {
    const auto one = [](const char* name, double x) { return numbers<T>(name, {1, 1}, {x}); };
    return {numbers<T>("table", {3, 1}, {0, 1, -2}),
            {one("W_q", 1), one("W_k", 1), numbers<T>("v", {1}, {2}), numbers<T>("W_x", {2, 1}, {1, 0.5}),
             one("W_s", 1), none<T>(1), one("W_0", 1), numbers<T>("b_0", {1}, {-0.5})},
            numbers<T>("W_o", {1, 3}, {1, -1, 3}),
            numbers<T>("b_o", {3}, {0, 0.5, 0})};
}

template <class T>
Array two_cells() {
    return numbers<T>("grid", {1, 1, 2, 1}, {0, 2});
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(the_worked_examples_of_the_handout, T, Reals) {
    const Array X = numbers<T>("X", {1, 3, 3, 1}, {0, 0, 0, 0, 1, 0, 0, 0, 0}),
                W = numbers<T>("W", {3, 3, 1, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    BOOST_TEST(is_near(on_arrays::conv2d<T>(X, W, none<T>(1), 1), {9, 8, 7, 6, 5, 4, 3, 2, 1}, 0));
    BOOST_TEST(is_near(on_arrays::conv2d<T>(X, W, none<T>(1), 2), {9, 7, 3, 1}, 0));
    const on_arrays::GridWeightsArrays network{W, numbers<T>("b_1", {1}, {-5}),
                                               numbers<T>("W_2", {3, 3, 1, 1}, {0, 0, 0, 0, 1, 1, 0, 1, -4}),
                                               numbers<T>("b_2", {1}, {1})};
    BOOST_TEST(is_near(on_arrays::feature_grid<T>(X, network, 2), {7}, 0));

    const auto weights = captioner<T>();
    const Array s_0 = on_arrays::first_state<T>(two_cells<T>(), weights.decoder.W_0, weights.decoder.b_0);
    BOOST_TEST(is_near(s_0, {std::tanh(0.5)}, kRounding<T>));
    const auto step = on_arrays::caption_step<T>(words({1}, {0}), s_0, two_cells<T>(), weights);
    BOOST_TEST(is_near(step.a, {0.2483, 0.7517}, 5e-5));
    BOOST_TEST(is_near(step.s, {0.8378}, 5e-5));
    BOOST_TEST(is_near(step.logits, {0.8378, -0.3378, 2.5134}, 5e-5));
    const auto said = on_arrays::caption_greedy<T>(two_cells<T>(), weights, 3, 0, 1);
    BOOST_TEST(is_near(said.y, {2, 1, 1}, 0));
    BOOST_TEST(is_near(said.A, {0.2483, 0.7517, 0.3505, 0.6495, 0, 0}, 5e-5));
    const auto cost = on_arrays::caption_loss<T>(words({1, 3}, {2, 1, 0}), two_cells<T>(), weights, 0, 1);
    BOOST_TEST(is_near(cost.losses, {0.2191, 0.2835, 0}, 5e-5));
    BOOST_TEST(is_near(cost.loss, {0.2513}, 5e-5));
    const on_arrays::ShowAndTellWeightsArrays blind{
        weights.table,       weights.decoder.W_0, weights.decoder.b_0, numbers<T>("W_x", {1, 1}, {1}),
        weights.decoder.W_s, none<T>(1),          weights.W_o,         weights.b_o};
    BOOST_TEST(is_near(on_arrays::show_and_tell<T>(words({1, 1}, {2}), two_cells<T>(), blind, 0),
                       {0.4318, 0.0682, 1.2954}, 5e-5));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(words_that_do_not_exist_are_refused, T, Reals) {
    const auto weights = captioner<T>();
    for (const int word : {-1, 3}) {
        BOOST_CHECK_THROW(on_arrays::caption_step<T>(words({1}, {word}), numbers<T>("s_prev", {1, 1}, {0}),
                                                     two_cells<T>(), weights),
                          std::invalid_argument);
        BOOST_CHECK_THROW(on_arrays::caption_loss<T>(words({1, 2}, {0, word}), two_cells<T>(), weights, 0, 1),
                          std::invalid_argument);
        BOOST_CHECK_THROW(on_arrays::caption_greedy<T>(two_cells<T>(), weights, 2, word, 1),
                          std::invalid_argument);
    }
}

// Logits as large as float allows: their exp is infinite, and the softmax of the other words is 0.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_certain_and_wrong_model_pays_the_difference_of_its_logits, T, Reals) {
    auto weights = captioner<T>();
    weights.W_o = Array::zeros<T>("W_o", {1, 3});
    weights.b_o = numbers<T>("b_o", {3}, {10000, 0, -10000});
    const auto cost = on_arrays::caption_loss<T>(words({1, 3}, {0, 2, 1}), two_cells<T>(), weights, 0, 1);
    BOOST_TEST(is_near(cost.losses, {0, 20000, 10000}, 0));
    BOOST_TEST(is_near(cost.loss, {10000}, 1e-2));
}

// github.com/onnx/onnx, docs/Operators.md, Conv: the examples conv with padding, and conv_with_strides with padding.
// Apache-2.0.
BOOST_AUTO_TEST_CASE_TEMPLATE(onnx_conv, T, Reals) {
    const Array W = ones<T>({3, 3, 1, 1});
    BOOST_TEST(is_near(on_arrays::conv2d<T>(image_from<T>(counted<T>({1, 1, 5, 5})), W, none<T>(1), 1),
                       {12,  21, 27, 33,  24,  33,  54,  63, 72,  51,  63,  99, 108,
                        117, 81, 93, 144, 153, 162, 111, 72, 111, 117, 123, 84},
                       0));
    BOOST_TEST(is_near(on_arrays::conv2d<T>(image_from<T>(counted<T>({1, 1, 7, 5})), W, none<T>(1), 2),
                       {12, 27, 24, 63, 108, 81, 123, 198, 141, 112, 177, 124}, 0));
}

// github.com/pytorch/pytorch, test/cpp/api/modules.cpp, Conv2dEven, which pads nothing: the inside of our output.
// BSD-3-Clause.
BOOST_AUTO_TEST_CASE_TEMPLATE(pytorch_conv2d, T, Reals) {
    const Array Y = on_arrays::conv2d<T>(image_from<T>(counted<T>({1, 3, 5, 5})),
                                         kernel_from<T>(counted<T>({2, 3, 3, 3})), none<T>(2), 1);
    const double wanted[2][9] = {{15219, 15570, 15921, 16974, 17325, 17676, 18729, 19080, 19431},
                                 {37818, 38898, 39978, 43218, 44298, 45378, 48618, 49698, 50778}};
    std::vector<double> all;
    for (int n = 0; n < 9; ++n)
        for (const auto& map : wanted) all.push_back(map[n]);
    Array inside = unwritten<T>("Y", {1, 3, 3, 2});
    for (int r = 0; r < 3; ++r)
        for (int k = 0; k < 3; ++k)
            for (int o = 0; o < 2; ++o) inside.view<T, 4>()(0, r, k, o) = Y.view<T, 4>()(0, r + 1, k + 1, o);
    BOOST_TEST(is_near(inside, all, 0));
}

// Xu et al. 2015, section 4.3: 14 x 14 cells, and at the first step of an untrained model (v = 0) each has 1/196.
BOOST_AUTO_TEST_CASE_TEMPLATE(an_untrained_model_looks_everywhere, T, Reals) {
    auto weights = captioner<T>();
    weights.decoder.v = none<T>(1);
    const auto said = on_arrays::caption_greedy<T>(Array::zeros<T>("grid", {1, 14, 14, 1}), weights, 1, 0, 1);
    BOOST_TEST(is_near(said.A, std::vector<double>(196, 1.0 / 196), kRounding<T>));
}

BOOST_AUTO_TEST_SUITE_END()
