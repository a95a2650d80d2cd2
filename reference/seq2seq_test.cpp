// Answers computed by hand, what the functions have to do with each other, and numbers from the tests of other
// projects. Of those only the numbers are copied.

#include <algorithm>
#include <stdexcept>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "contracts/rnn_attention_on_arrays.h"
#include "contracts/seq2seq_on_arrays.h"
#include "reference/testing/near.h"

using attn::Array;
using attn::Order;
using attn::Score;
using attn::TensorView;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(seq2seq)

namespace {

Array whole(const std::string& name, const std::vector<int>& numbers) {
    return {name, {static_cast<int>(numbers.size())}, numbers};
}
Array words_of(const attn::Shape& shape, const std::vector<std::uint8_t>& mask) {
    return {"mask", shape, mask};
}
/// Row t of a sequence [1, T, D], as [1, D].
template <class T>
Array row(const Array& X, int t) {
    const auto from = X.as<T>().begin() + t * X.shape[2];
    return {"row", {1, X.shape[2]}, std::vector<T>(from, from + X.shape[2])};
}
template <class T>
on_arrays::ScoreWeightsArrays score_weights(int D, int D_a) {
    return {normal<T>("W", {D, D}), normal<T>("W_c", {2 * D, D_a}), normal<T>("v", {D_a})};
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(the_worked_examples_of_the_handout, T, Reals) {
    const auto lstm =
        on_arrays::lstm_cell<T>(numbers<T>("x", {1, 1}, {1}), numbers<T>("h", {1, 1}, {0.5}),
                                numbers<T>("c", {1, 1}, {2}), numbers<T>("W_x", {1, 4}, {0, 1, 2, -1}),
                                numbers<T>("W_h", {1, 4}, {2, 0, -2, 0}), numbers<T>("b", {4}, {0, 1, 0, 1}));
    BOOST_TEST(is_near(lstm.c, {2.3184}, 5e-5));
    BOOST_TEST(is_near(lstm.h, {0.4904}, 5e-5));
    const Array gru = on_arrays::gru_cell<T>(numbers<T>("x", {1, 1}, {1}), numbers<T>("h", {1, 2}, {0.5, -1}),
                                             numbers<T>("W_x", {1, 6}, {0, 1, 1, 0, 0, 1}),
                                             numbers<T>("W_h", {2, 6}, {0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1, 1}),
                                             Array::zeros<T>("b", {6}));
    BOOST_TEST(is_near(gru, {0.3045, -0.3687}, 5e-5));
    const auto read =
        on_arrays::encode<T>(numbers<T>("X", {1, 3, 1}, {1, 2, 9}), whole("lengths", {2}),
                             {numbers<T>("W_x", {2, 1, 1}, {1, 2}), numbers<T>("W_h", {2, 1, 1}, {0.5, 1}),
                              numbers<T>("b", {2, 1}, {0, -1})},
                             Order::reversed);
    BOOST_TEST(is_near(read.H, {0.7297, 0.9110, 0}, 5e-5));
    BOOST_TEST(is_near(read.last, {0.9018, 0.9110}, 5e-5));
    const Array s = numbers<T>("s", {1, 2}, {1, -1}), h = numbers<T>("h", {1, 3, 2}, {1, 0, 0, 2, 5, 5});
    on_arrays::ScoreWeightsArrays weights = score_weights<T>(2, 1);
    weights.W = numbers<T>("W", {2, 2}, {1, 2, 0, 1});
    BOOST_TEST(is_near(on_arrays::luong_scores<T>(s, h, weights, Score::dot), {1, -2, 0}, 0));
    BOOST_TEST(is_near(on_arrays::luong_scores<T>(s, h, weights, Score::general), {1, 2, 10}, 0));
    const auto looked = on_arrays::key_value_attention<T>(
        numbers<T>("s", {1, 1}, {2}), numbers<T>("h", {1, 3, 1}, {0, 2, 9}), words_of({1, 3}, {1, 1, 0}),
        {numbers<T>("W_q", {1, 2}, {1, 0}), numbers<T>("b_q", {2}, {0, -1}),
         numbers<T>("W_k", {1, 2}, {1, -1}), numbers<T>("b_k", {2}, {0, 1}),
         numbers<T>("W_v", {1, 2}, {3, 0}), numbers<T>("b_v", {2}, {1, 5})});
    BOOST_TEST(is_near(looked.a, {0.2273, 0.7727, 0}, 5e-5));
    BOOST_TEST(is_near(looked.c, {5.6363, 5}, 5e-5));
}

// An encoder of one layer is one cell after the other; layer 1 reads what layer 0 wrote.
BOOST_AUTO_TEST_CASE_TEMPLATE(an_encoder_is_a_chain_of_cells, T, Reals) {
    const Array X = normal<T>("X", {1, 3, 2}), W_x = normal<T>("W_x", {2, 2}), W_h = normal<T>("W_h", {2, 2}),
                b = normal<T>("b", {2});
    const auto stacked = [](const Array& layer) {
        Array two = layer;
        two.shape.insert(two.shape.begin(), 2);
        two.as<T>().insert(two.as<T>().end(), layer.as<T>().rbegin(), layer.as<T>().rend());
        return two;
    };
    const auto read = on_arrays::encode<T>(X, whole("lengths", {3}), {stacked(W_x), stacked(W_h), stacked(b)},
                                           Order::forward);
    const auto turned = [](Array array) {
        std::reverse(array.as<T>().begin(), array.as<T>().end());
        return array;
    };
    Array low = Array::zeros<T>("h", {1, 2}), high = low;
    for (int t = 0; t < 3; ++t) {
        low = on_arrays::rnn_cell<T>(row<T>(X, t), low, W_x, W_h, b);
        high = on_arrays::rnn_cell<T>(low, high, turned(W_x), turned(W_h), turned(b));
        BOOST_TEST(is_near(row<T>(read.H, t), high, kRounding<T>));
    }
    BOOST_TEST(is_near(row<T>(read.last, 0), low, kRounding<T>));
    BOOST_TEST(is_near(row<T>(read.last, 1), high, kRounding<T>));
}

// With order = bidirectional, layer 1 is a layer that reads layer 0's states in reverse; row n - t of H has its state h_t.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_second_layer_of_both_directions_reads_backward, T, Reals) {
    const Array X = normal<T>("X", {1, 4, 2}), lengths = whole("lengths", {3}),
                W_x = normal<T>("W_x", {2, 2, 2}), W_h = normal<T>("W_h", {2, 2, 2}),
                b = normal<T>("b", {2, 2});
    const auto layer = [](const Array& all, int m) {
        Array one = all;
        one.shape[0] = 1;
        const auto size = static_cast<std::ptrdiff_t>(one.count());
        const auto first = all.as<T>().begin() + m * size;
        one.as<T>() = std::vector<T>(first, first + size);
        return one;
    };
    const auto both = on_arrays::encode<T>(X, lengths, {W_x, W_h, b}, Order::bidirectional);
    const auto below = on_arrays::encode<T>(X, lengths, {layer(W_x, 0), layer(W_h, 0), layer(b, 0)},
                                            Order::forward),
               above = on_arrays::encode<T>(below.H, lengths, {layer(W_x, 1), layer(W_h, 1), layer(b, 1)},
                                            Order::reversed);
    for (int t = 1; t <= 3; ++t)
        BOOST_TEST(is_near(row<T>(both.H, 3 - t), row<T>(above.H, t - 1), kRounding<T>));
    BOOST_TEST(is_near(row<T>(both.H, 3), Array::zeros<T>("row", {1, 2}), 0));
    BOOST_TEST(is_near(row<T>(both.last, 0), row<T>(below.last, 0), kRounding<T>));
    BOOST_TEST(is_near(row<T>(both.last, 1), row<T>(above.last, 0), kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(lengths_have_to_fit, T, Reals) {
    const Array X = normal<T>("X", {1, 3, 2});
    const auto read = [&X](int length) {
        return on_arrays::encode<T>(
            X, whole("lengths", {length}),
            {normal<T>("W_x", {1, 2, 2}), normal<T>("W_h", {1, 2, 2}), normal<T>("b", {1, 2})},
            Order::forward);
    };
    BOOST_CHECK_THROW(read(4), std::invalid_argument);
    BOOST_CHECK_THROW(read(-1), std::invalid_argument);
    BOOST_TEST(is_near(read(0).H, Array::zeros<T>("H", {1, 3, 2}), 0));
    BOOST_CHECK_THROW(
        on_arrays::luong_scores<T>(row<T>(X, 0), X, score_weights<T>(2, 1), static_cast<Score>(3)),
        std::invalid_argument);
}

// Step 1 of both decoders, and what step 2 is fed, from the functions of assignment 1.
BOOST_AUTO_TEST_CASE_TEMPLATE(decoders_are_steps_of_assignment_1, T, Reals) {
    const Array h = normal<T>("h", {1, 4, 3}), s_0 = normal<T>("s_0", {1, 3}), u_0 = normal<T>("u_0", {1, 3}),
                y = normal<T>("y", {1, 3, 2}), mask = words_of({1, 4}, {1, 0, 1, 1});
    const on_arrays::LuongDecoderArrays w = {
        normal<T>("W_x", {5, 3}), normal<T>("W_s", {3, 3}), normal<T>("b", {3}),      score_weights<T>(3, 2),
        normal<T>("W_r", {6, 2}), normal<T>("V_x", {6, 3}), normal<T>("V_u", {3, 3}), normal<T>("b_u", {3})};
    for (const Score kind : {Score::dot, Score::general, Score::concat}) {
        const auto decoded = on_arrays::luong_decode<T>(h, mask, s_0, u_0, y, w, 2, kind);
        Array c = Array::zeros<T>("c", {1, 3}), s = s_0, u = u_0;
        for (int t = 0; t < 2; ++t) {
            s = on_arrays::decoder_step<T>(row<T>(y, t), c, s, w.W_x, w.W_s, w.b);
            const auto attended =
                on_arrays::attention_context<T>(on_arrays::luong_scores<T>(s, h, w.score, kind), h, mask);
            c = attended.c;
            u = on_arrays::decoder_step<T>(s, c, u, w.V_x, w.V_u, w.b_u);
            const Array nothing = Array::zeros<T>("W_s", {2, 2}), no_bias = Array::zeros<T>("b", {2});
            BOOST_TEST(is_near(row<T>(decoded.S, t), s, kRounding<T>));
            BOOST_TEST(is_near(row<T>(decoded.A, t), attended.a, kRounding<T>));
            BOOST_TEST(is_near(row<T>(decoded.U, t), u, kRounding<T>));
            BOOST_TEST(is_near(
                row<T>(decoded.R, t),
                on_arrays::decoder_step<T>(s, c, Array::zeros<T>("s", {1, 2}), w.W_r, nothing, no_bias),
                kRounding<T>));
        }
    }
    const Array W_0 = normal<T>("W_0", {3, 3}), b_0 = normal<T>("b_0", {3});
    const Array S = on_arrays::decode_without_attention<T>(s_0, y, {w.W_x, w.W_s, w.b, W_0, b_0}, 2);
    const Array zeros = Array::zeros<T>("0", {1, 3});
    Array s = on_arrays::rnn_cell<T>(s_0, zeros, W_0, Array::zeros<T>("W_h", {3, 3}), b_0);
    for (int t = 0; t < 2; ++t) {
        s = on_arrays::decoder_step<T>(row<T>(y, t), s_0, s, w.W_x, w.W_s, w.b);
        BOOST_TEST(is_near(row<T>(S, t), s, kRounding<T>));
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(hard_attention_is_the_limit_of_soft_attention, T, Reals) {
    const Array e = normal<T>("e", {2, 5}), h = normal<T>("h", {2, 5, 3}),
                mask = words_of({2, 5}, {1, 1, 1, 0, 0, 0, 1, 1, 0, 1});
    Array loud = e;
    for (T& score : loud.as<T>()) score *= 1000;
    const auto hard = on_arrays::hard_attention<T>(e, h, mask);
    const auto soft = on_arrays::attention_context<T>(loud, h, mask);
    BOOST_TEST(is_near(hard.a, soft.a, 1e-6));
    BOOST_TEST(is_near(hard.c, soft.c, 1e-6));
    const auto tie =
        on_arrays::hard_attention<T>(numbers<T>("e", {2, 3}, {9, -1, -1, 0, 0, 0}), normal<T>("h", {2, 3, 2}),
                                     words_of({2, 3}, {0, 1, 1, 0, 0, 0}));
    BOOST_TEST(is_near(tie.a, {0, 1, 0, 0, 0, 0}, 0));
}

// github.com/allenai/allennlp, commit 80fb6061e568cb9d6ab5d45b661e86eb61b92c82,
// tests/modules/attention/bilinear_attention_test.py (less its bias) and dot_product_attention_test.py; and
// github.com/keras-team/keras, commit f9336cc5114b4a9429a242deb264b707379646b7,
// keras/layers/attention/attention_test.py, test_calculate_scores_multi_dim_concat. Apache-2.0, both.
BOOST_AUTO_TEST_CASE_TEMPLATE(published_scores, T, Reals) {
    on_arrays::ScoreWeightsArrays weights = score_weights<T>(2, 1);
    weights.W = numbers<T>("W", {2, 2}, {-0.3, 0.5, 2.0, -1.0});
    BOOST_TEST(
        is_near(on_arrays::luong_scores<T>(numbers<T>("s", {1, 2}, {1, 1}),
                                           numbers<T>("h", {1, 2, 2}, {1, 0, 0, 1}), weights, Score::general),
                {1.7, -0.5}, kRounding<T>));
    BOOST_TEST(is_near(
        on_arrays::luong_scores<T>(numbers<T>("s", {2, 3}, {0, 0, 0, 1, 1, 1}),
                                   numbers<T>("h", {2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}),
                                   score_weights<T>(3, 1), Score::dot),
        {0, 0, 24, 33}, 0));
    on_arrays::ScoreWeightsArrays sums = score_weights<T>(4, 4);
    sums.W_c = Array::zeros<T>("W_c", {8, 4});
    for (int k = 0; k < 8; ++k) sums.W_c.template view<T, 2>()(k, k % 4) = 1;
    sums.v = numbers<T>("v", {4}, {1, 1, 1, 1});
    BOOST_TEST(
        is_near(on_arrays::luong_scores<T>(
                    numbers<T>("s", {1, 4}, {1, 1.1, 1.2, 1.3}),
                    numbers<T>("h", {1, 3, 4}, {1.5, 1.6, 1.7, 1.8, 2.5, 2.6, 2.7, 2.8, 3.5, 3.6, 3.7, 3.8}),
                    sums, Score::concat),
                {3.967534, 3.995588, 3.999403}, 1e-6, 1e-6));
}

// github.com/microsoft/onnxruntime, commit 194144dfd419cbee29d18e57bed734fc883ae833,
// onnxruntime/test/contrib_ops/attention_lstm_op_test.cc, ForwardLstmWithBahdanauAMZeroAttention; its gates are i, g, f, o.
// And commit fa5fed611015346bcb3d19c57b478433ce8c9522, test/providers/cpu/rnn/deep_cpu_gru_op_test.cc,
// ForwardDefaultActivationsSimpleWeightsWithBiasBatchParallel, row 0; its gates are z, r, n. MIT, both.
BOOST_AUTO_TEST_CASE_TEMPLATE(onnxruntime_lstm_and_gru, T, Reals) {
    const auto ordered = [](const Array& columns, const std::vector<int>& blocks) {
        Array result = columns;
        const int width = columns.shape.back(), rows = static_cast<int>(columns.count()) / width, D = 3;
        const TensorView<const T, 2> from(columns.as<T>().data(), rows, width);
        const TensorView<T, 2> to(result.as<T>().data(), rows, width);
        for (int row = 0; row < rows; ++row)
            for (int k = 0; k < width; ++k)
                to(row, k) = from(row, blocks[static_cast<std::size_t>(k / D)] * D + k % D);
        return result;
    };
    const std::vector<int> i_f_g_o = {0, 2, 1, 3}, r_z_n = {1, 0, 2};
    const Array W_x = ordered(
                    numbers<T>("W_x", {3, 12},
                               {-1,  -1.5, -0.5, -1.5,   0.1,   -0.5, 0.5, -1.5, -0.25,  1,    -0.125, -0.25,
                                -1,  -0.5, 0.25, -0.125, -0.25, -1,   1.5, 1,    -1.5,   0.25, 0.5,    0.5,
                                1.5, -0.5, -1,   -0.5,   0.1,   1,    0.1, -0.5, -0.125, -1.5, 0.1,    1.5}),
                    i_f_g_o),
                W_h = ordered(
                    numbers<T>("W_h", {3, 12},
                               {-1.5,   1,    0.1,   -0.5, -1.5,  0.5, -1,   0.25, -0.25, 1,   0.25, 0.5,
                                -0.125, 0.1,  -1,    -1,   0.1,   1.5, -1.5, 0.1,  1.5,   0.5, 0.25, 1,
                                1,      -1.5, -0.25, 0.5,  -0.25, 1,   -1,   0.25, -0.5,  0.5, -1.5, 0.5}),
                    i_f_g_o),
                b = ordered(
                    numbers<T>("b", {12}, {0.25, -0.25, 0.1, 1, 1.5, -1.5, 1.5, -1, -0.25, 1, -0.25, 1}),
                    i_f_g_o);
    const Array X = numbers<T>("X", {1, 3, 3}, {0.25, -1.5, 1, 0.25, -0.5, -1.5, 0.1, 1.5, 0.25});
    const Array Y = numbers<T>("Y", {1, 3, 3},
                               {0.09783631, 0.1056254, 0.1167536, 0.2778298, 0.1664629, -0.1197255, 0.2444764,
                                0.3443432, -0.4701221});
    Array h = Array::zeros<T>("h", {1, 3}), c = h;
    for (int t = 0; t < 3; ++t) {
        const auto state = on_arrays::lstm_cell<T>(row<T>(X, t), h, c, W_x, W_h, b);
        h = state.h, c = state.c;
        BOOST_TEST(is_near(h, row<T>(Y, t), 1e-6, 1e-5));
    }
    const Array V_x =
                    ordered(numbers<T>("W_x", {1, 9}, {0.1, 0.2, 0.3, 0.2, 0.3, 0.1, 0.3, 0.1, 0.2}), r_z_n),
                V_h = numbers<T>("W_h", {3, 9}, std::vector<double>(27, 0.1)),
                d = ordered(numbers<T>("b", {9}, {-0.04, 0.6, -0.69, -0.15, -0.72, 0.32, 0.37, -0.33, 0.2}),
                            r_z_n);
    h = on_arrays::gru_cell<T>(numbers<T>("x", {1, 1}, {-0.1}), Array::zeros<T>("h", {1, 3}), V_x, V_h, d);
    BOOST_TEST(is_near(h, {0.16783132, -0.11754231, 0.11977843}, 1e-6, 1e-5));
    h = on_arrays::gru_cell<T>(numbers<T>("x", {1, 1}, {-0.3}), h, V_x, V_h, d);
    BOOST_TEST(is_near(h, {0.22688604, -0.19698407, 0.14017843}, 1e-6, 1e-5));
}

BOOST_AUTO_TEST_SUITE_END()
