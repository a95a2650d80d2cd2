// Answers computed by hand, and edge cases.

#include <cmath>
#include <cstddef>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/rnn_attention_reference.h"
#include "reference/testing/near.h"
#include "reference/testing/rnn_attention_inputs.h"

using attn::Array;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(rnn_attention)

namespace {

/// The handout's example: two words and a pad.
template <class T>
struct Example {
    const Array h = numbers<T>("h", {1, 3, 2}, {1, 0, 0, 2, 5, 5});
    const Array words = mask({1, 3}, {1, 1, 0});
    const Array s_prev = numbers<T>("s_prev", {1, 2}, {1, -1}), y_prev = numbers<T>("y_prev", {1, 1}, {2});
    const on_arrays::DecoderWeightsArrays weights{numbers<T>("W_q", {2, 2}, {1, 0, 0.5, 1}),
                                                  numbers<T>("W_k", {2, 2}, {0.5, 1, -0.5, 1}),
                                                  numbers<T>("v", {2}, {2, 1}),
                                                  numbers<T>("W_x", {3, 2}, {0.5, -1, 1, 0, 0, 1}),
                                                  numbers<T>("W_s", {2, 2}, {0.5, 0, 1, 0.5}),
                                                  numbers<T>("b", {2}, {0, 1}),
                                                  numbers<T>("W_0", {2, 2}, {1, 2, 3, -0.5}),
                                                  numbers<T>("b_0", {2}, {-5, 1})};
};

/// on_arrays::DecoderWeightsArrays of a decoder with D_y = 2, D_h = 3, D_a = 4, D_s = 5.
template <class T>
on_arrays::DecoderWeightsArrays some_weights() {
    return {sized<T>("W_q", {5, 4}, 0.5), sized<T>("W_k", {3, 4}, 0.5), normal<T>("v", {4}),
            sized<T>("W_x", {5, 5}, 0.5), sized<T>("W_s", {5, 5}, 0.5), sized<T>("b", {5}, 0.5),
            sized<T>("W_0", {3, 5}, 0.5), sized<T>("b_0", {5}, 0.5)};
}

/// Step t of Y [B, L, D], [B, D].
template <class T>
Array at_step(const Array& Y, int t) {
    return shaped(rows<T>(Y, {t}), {Y.shape[0], Y.shape[2]});
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(the_worked_example_of_the_handout, T, Reals) {
    const Example<T> in;
    const Array e =
        on_arrays::additive_scores<T>(in.s_prev, in.h, in.weights.W_q, in.weights.W_k, in.weights.v);
    const double t1 = std::tanh(1.0), t2 = std::tanh(0.5);
    BOOST_TEST(is_near(e, {2 * t1, t1 - 2 * t2, 2 * t2 + std::tanh(9.0)}, kRounding<T>));
    BOOST_TEST(is_near(e, {1.5232, -0.1626, 1.9242}, 5e-5));
    const auto found = on_arrays::attention_context<T>(e, in.h, in.words);
    const double a_0 = 1 / (1 + std::exp(-t1 - 2 * t2));
    BOOST_TEST(is_near(found.a, {a_0, 1 - a_0, 0}, kRounding<T>));
    BOOST_TEST(is_near(found.a, {0.8437, 0.1563, 0}, 5e-5));
    BOOST_TEST(is_near(found.c, {a_0, 2 - 2 * a_0}, kRounding<T>));
    BOOST_TEST(is_near(found.c, {0.8437, 0.3127}, 5e-5));
    const Array s = decoder_step<T>(in.y_prev, found.c, in.s_prev, in.weights);
    BOOST_TEST(is_near(s, {std::tanh(0.5 + a_0), std::tanh(0.5 - 2 * a_0)}, kRounding<T>));
    BOOST_TEST(is_near(s, {0.8726, -0.8298}, 5e-5));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(s_0_comes_from_the_last_word_and_not_from_a_pad, T, Reals) {
    const Example<T> in;
    // Without scores, W_x and b, one step is s_1 = tanh(s_0 W_s) for any word.
    on_arrays::DecoderWeightsArrays weights = in.weights;
    weights.W_x = numbers<T>("W_x", {3, 2}, std::vector<double>(6));
    weights.b = numbers<T>("b", {2}, {0, 0});
    weights.W_s = numbers<T>("W_s", {2, 2}, {1, 0, 0, 1});
    const Array y = numbers<T>("y", {1, 2, 1}, {7, -7});
    const auto s_1 = [](double first, double second) {
        return std::vector<double>{std::tanh(std::tanh(first)), std::tanh(std::tanh(second))};
    };
    const auto answer = [&](const std::vector<std::uint8_t>& words) {
        return decode<T>(in.h, mask({1, 3}, words), y, weights).S;
    };
    BOOST_TEST(is_near(answer({1, 1, 0}), s_1(6 - 5, -1 + 1), kRounding<T>));
    BOOST_TEST(is_near(answer({1, 0, 0}), s_1(1 - 5, 2 + 1), kRounding<T>));
    BOOST_TEST(is_near(answer({0, 1, 0}), s_1(6 - 5, -1 + 1), kRounding<T>));  // the last one, not the second
    BOOST_TEST(is_near(answer({0, 0, 0}), s_1(-5, 1), kRounding<T>));          // h_last = 0
}

BOOST_AUTO_TEST_CASE_TEMPLATE(decode_is_the_three_functions_in_turn, T, Reals) {
    const on_arrays::DecoderWeightsArrays weights = some_weights<T>();
    const Array h = normal<T>("h", {2, 4, 3}), y = normal<T>("y", {2, 4, 2});
    const Array words = mask({2, 4}, {1, 1, 1, 0, 1, 1, 1, 1});
    const auto decoded = decode<T>(h, words, y, weights);
    Array s = product<T>(shaped(rows<T>(h, {2, 3}), {4, 3}), weights.W_0);
    // Batch 0 ends with word 2, batch 1 with word 3.
    const std::vector<T> all = s.template as<T>();
    s = unwritten<T>("s", {2, 5});
    for (std::size_t d = 0; d < 5; ++d) {
        s.template as<T>()[d] = std::tanh(all[d] + weights.b_0.as<T>()[d]);
        s.template as<T>()[5 + d] = std::tanh(all[15 + d] + weights.b_0.as<T>()[d]);
    }
    for (int t = 0; t < 3; ++t) {
        const auto found = on_arrays::attention_context<T>(
            on_arrays::additive_scores<T>(s, h, weights.W_q, weights.W_k, weights.v), h, words);
        s = decoder_step<T>(at_step<T>(y, t), found.c, s, weights);
        BOOST_TEST(is_near(at_step<T>(decoded.A, t), found.a, kRounding<T>));
        BOOST_TEST(is_near(at_step<T>(decoded.S, t), s, kRounding<T>));
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_word_gets_all_of_the_attention, T, Reals) {
    const Array h = normal<T>("h", {2, 1, 3});
    const auto found = on_arrays::attention_context<T>(normal<T>("e", {2, 1}), h, mask({2, 1}, {1, 1}));
    BOOST_TEST(is_near(found.a, {1, 1}, 0));
    BOOST_TEST(is_near(found.c, shaped(h, {2, 3}), 0));
    const auto decoded = decode<T>(h, mask({2, 1}, {1, 1}), normal<T>("y", {2, 3, 2}), some_weights<T>());
    BOOST_TEST(is_near(decoded.A, {1, 1, 1, 1}, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_sentence_of_pads_has_zero_weights_and_context, T, Reals) {
    const Array h = normal<T>("h", {2, 3, 4});
    const Array words = mask({2, 3}, {0, 0, 0, 1, 0, 1});
    const auto found =
        on_arrays::attention_context<T>(numbers<T>("e", {2, 3}, {1, 2, 3, std::log(3.0), 9, 0}), h, words);
    BOOST_TEST(is_near(found.a, {0, 0, 0, 0.75, 0, 0.25}, kRounding<T>));
    BOOST_TEST(is_near(shaped(rows<T>(shaped(found.c, {1, 2, 4}), {0}), {4}), {0, 0, 0, 0}, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(scores_of_10000_leave_exact_weights, T, Reals) {
    const Array e = numbers<T>("e", {3, 3}, {1e4, -1e4, 1e4, -1e4, -1e4, -1e4, 1e4, -1e4, -1e4});
    const Array h = numbers<T>("h", {3, 3, 1}, {1, 2, 5, 3, 3, 9, 7, 4, 8});
    // A pad's score may be far above those of all words.
    const Array words = mask({3, 3}, {1, 1, 1, 1, 1, 0, 0, 1, 1});
    const auto found = on_arrays::attention_context<T>(e, h, words);
    BOOST_TEST(is_near(found.a, {0.5, 0, 0.5, 0.5, 0.5, 0, 0, 0.5, 0.5}, 0));
    BOOST_TEST(is_near(found.c, {3, 3, 6}, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(equal_words_get_equal_weights, T, Reals) {
    const Array one = normal<T>("h", {2, 1, 3}), h = rows<T>(one, {0, 0, 0, 0});
    const on_arrays::DecoderWeightsArrays weights = some_weights<T>();
    const Array e =
        on_arrays::additive_scores<T>(normal<T>("s", {2, 5}), h, weights.W_q, weights.W_k, weights.v);
    const auto found = on_arrays::attention_context<T>(e, h, mask({2, 4}, {1, 1, 1, 1, 1, 0, 1, 0}));
    BOOST_TEST(is_near(found.a, {0.25, 0.25, 0.25, 0.25, 0.5, 0, 0.5, 0}, 0));
    BOOST_TEST(is_near(found.c, shaped(one, {2, 3}), kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_last_word_is_never_an_input, T, Reals) {
    const Array h = normal<T>("h", {1, 3, 3}), words = mask({1, 3}, {1, 1, 1});
    const on_arrays::DecoderWeightsArrays weights = some_weights<T>();
    const Array y = normal<T>("y", {1, 2, 2});
    const Array other = rows<T>(y, {0, 0});
    BOOST_TEST(is_near(decode<T>(h, words, y, weights).S, decode<T>(h, words, other, weights).S, 0));
    const Array fed = rows<T>(y, {1, 1});
    BOOST_TEST(!is_near(decode<T>(h, words, y, weights).S, decode<T>(h, words, fed, weights).S, 0.1));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_grid_by_hand, T, Reals) {
    // Scores tanh(h) 2 with tanh(h) = 0, 1/2 ln 2, 1/2 ln 3, -> weights 1, 2, 3 of 12, twice each.
    const double low = std::atanh(0.5 * std::log(2.0)), high = std::atanh(0.5 * std::log(3.0));
    const Array grid = numbers<T>("grid", {1, 2, 3, 1}, {0, low, high, high, 0, low});
    const auto found =
        on_arrays::grid_attention<T>(numbers<T>("s", {1, 1}, {0}), grid, numbers<T>("W_q", {1, 1}, {3}),
                                     numbers<T>("W_k", {1, 1}, {1}), numbers<T>("v", {1}, {2}));
    BOOST_TEST(is_near(found.a, {1 / 12.0, 2 / 12.0, 3 / 12.0, 3 / 12.0, 1 / 12.0, 2 / 12.0}, kRounding<T>));
    BOOST_TEST(is_near(found.c, {low / 3 + high / 2}, kRounding<T>));
}

BOOST_AUTO_TEST_SUITE_END()
