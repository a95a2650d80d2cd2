// Properties that follow from the formulas for any numbers.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/rnn_attention_reference.h"
#include "grader/ask/inputs.h"
#include "reference/testing/near.h"
#include "reference/testing/rnn_attention_inputs.h"

using attn::Array;
using attn::ask::map;
using attn::ask::permuted;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(rnn_attention_properties)

namespace {

/// Sizes that all differ, so that none can replace another: B = 3, T = 4, L = 5, D_y = 2, D_h = 7, D_a = 8,
/// D_s = 6. The second sentence has a pad after it, the third a gap before its last word.
template <class T>
struct Inputs {
    const Array s_prev = normal<T>("s_prev", {3, 6}), h = normal<T>("h", {3, 4, 7}),
                y = normal<T>("y", {3, 6, 2}), e = normal<T>("e", {3, 4});
    const Array words = mask({3, 4}, {1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 1, 1});
    const on_arrays::DecoderWeightsArrays weights{sized<T>("W_q", {6, 8}, 0.4), sized<T>("W_k", {7, 8}, 0.4),
                                                  sized<T>("v", {8}, 0.7),      sized<T>("W_x", {9, 6}, 0.3),
                                                  sized<T>("W_s", {6, 6}, 0.4), sized<T>("b", {6}, 0.5),
                                                  sized<T>("W_0", {7, 6}, 0.4), sized<T>("b_0", {6}, 0.5)};

    Array scores(const Array& states, const Array& source) const {
        return on_arrays::additive_scores<T>(states, source, weights.W_q, weights.W_k, weights.v);
    }
};

const std::vector<int> kOrder = {2, 0, 3, 1}, kLastStays = {1, 2, 0, 3};

Array negated(const Array& array) {
    return map(array, [](double x) { return -x; });
}

/// `array` [B, N, ..] followed by as many slices of noise; for a mask, of zeros.
template <class T>
Array with_pads(const Array& array) {
    const int N = array.shape[1];
    std::vector<int> order;
    for (int j = 0; j < 2 * N; ++j) order.push_back(j % N);
    Array longer = permuted(array, 1, order);
    const Array noise = normal<T>("pads", longer.shape);
    const std::size_t half = longer.count() / static_cast<std::size_t>(2 * array.shape[0]);
    std::size_t k = 0;
    return map(longer, [&](double x) {
        const bool pad = k++ / half % 2 == 1;
        if (!pad) return x;
        return attn::type_of(longer) == attn::ElementType::u8 ? 0
                                                              : 5 * static_cast<double>(noise.as<T>()[k - 1]);
    });
}

/// Slices first .. first + count - 1 along `axis`.
Array part(const Array& array, int axis, int first, int count) {
    std::vector<int> order;
    for (int k = 0; k < count; ++k) order.push_back(first + k);
    return permuted(array, axis, order);
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(weights_sum_to_one_and_those_of_pads_are_zero, T, Reals) {
    const Inputs<T> in;
    const auto decoded = decode<T>(in.h, in.words, in.y, in.weights);
    const Array& A = decoded.A;
    const auto a = A.view<T, 3>();
    const auto word = in.words.template view<std::uint8_t, 2>();
    for (int b = 0; b < 3; ++b) {
        for (int t = 0; t < 5; ++t) {
            double sum = 0;
            for (int j = 0; j < 4; ++j) {
                const T weight = a(b, t, j);
                BOOST_TEST((word(b, j) ? weight > 0 : weight == 0));
                BOOST_TEST(weight < 1);
                sum += static_cast<double>(weight);
            }
            BOOST_TEST(std::abs(sum - 1) <= kRounding<T>);
        }
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(contexts_lie_in_the_hull_of_the_words, T, Reals) {
    const Inputs<T> in;
    const auto found = on_arrays::attention_context<T>(in.e, in.h, in.words);
    const Array& C = found.c;
    const auto c = C.view<T, 2>();
    const auto h = in.h.template view<T, 3>();
    for (int d = 0; d < 7; ++d) {
        const auto [low_0, high_0] = std::minmax({h(0, 0, d), h(0, 1, d), h(0, 2, d), h(0, 3, d)});
        BOOST_TEST((low_0 < c(0, d) && c(0, d) < high_0));
        const auto [low_1, high_1] = std::minmax({h(1, 0, d), h(1, 1, d), h(1, 2, d)});
        BOOST_TEST((low_1 < c(1, d) && c(1, d) < high_1));
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(permuting_words_permutes_scores_and_weights_and_keeps_the_context, T, Reals) {
    const Inputs<T> in;
    const Array h = permuted(in.h, 1, kOrder), words = permuted(in.words, 1, kOrder);
    const Array e = in.scores(in.s_prev, in.h);
    BOOST_TEST(is_near(in.scores(in.s_prev, h), permuted(e, 1, kOrder), kRounding<T>));
    const auto before = on_arrays::attention_context<T>(e, in.h, in.words),
               after = on_arrays::attention_context<T>(permuted(e, 1, kOrder), h, words);
    BOOST_TEST(is_near(after.a, permuted(before.a, 1, kOrder), kRounding<T>));
    BOOST_TEST(is_near(after.c, before.c, kRounding<T>));
    BOOST_TEST(!is_near(before.a, permuted(before.a, 1, kOrder), 0.05));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(permuting_all_words_but_the_last_keeps_the_states, T, Reals) {
    const Inputs<T> in;
    const Array words = mask({3, 4}, {1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1});
    const auto before = decode<T>(in.h, words, in.y, in.weights);
    const auto after =
        decode<T>(permuted(in.h, 1, kLastStays), permuted(words, 1, kLastStays), in.y, in.weights);
    BOOST_TEST(is_near(after.S, before.S, kRounding<T>));
    BOOST_TEST(is_near(after.A, permuted(before.A, 2, kLastStays), kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(removing_pads_equals_masking_them, T, Reals) {
    const Inputs<T> in;
    const Array h = with_pads<T>(in.h), words = with_pads<T>(in.words);
    const auto before = on_arrays::attention_context<T>(in.e, in.h, in.words),
               after = on_arrays::attention_context<T>(with_pads<T>(in.e), h, words);
    BOOST_TEST(is_near(part(after.a, 1, 0, 4), before.a, 0));
    BOOST_TEST(is_near(part(after.a, 1, 4, 4), std::vector<double>(12, 0), 0));
    BOOST_TEST(is_near(after.c, before.c, 0));
    const auto all = decode<T>(in.h, in.words, in.y, in.weights),
               padded = decode<T>(h, words, in.y, in.weights);
    BOOST_TEST(is_near(padded.S, all.S, 0));
    BOOST_TEST(is_near(part(padded.A, 2, 0, 4), all.A, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_number_added_to_all_scores_changes_nothing, T, Reals) {
    const Inputs<T> in;
    const Array shifted = map(in.e, [](double x) { return x + 10; });
    BOOST_TEST(is_near(on_arrays::attention_context<T>(shifted, in.h, in.words).c,
                       on_arrays::attention_context<T>(in.e, in.h, in.words).c, 4 * kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(permuting_hidden_units_or_changing_their_sign_changes_nothing, T, Reals) {
    const Inputs<T> in;
    const std::vector<int> order = {3, 7, 0, 1, 6, 2, 4, 5};
    const Array W_q = permuted(in.weights.W_q, 1, order), W_k = permuted(in.weights.W_k, 1, order),
                v = permuted(in.weights.v, 0, order), e = in.scores(in.s_prev, in.h);
    BOOST_TEST(is_near(on_arrays::additive_scores<T>(in.s_prev, in.h, W_q, W_k, v), e, kRounding<T>));
    BOOST_TEST(is_near(on_arrays::additive_scores<T>(in.s_prev, in.h, negated(W_q), negated(W_k), negated(v)),
                       e, kRounding<T>));
    BOOST_TEST(is_near(in.scores(negated(in.s_prev), negated(in.h)), negated(e), 0));
    BOOST_TEST(!is_near(in.scores(negated(in.s_prev), in.h), negated(e), 0.1));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(negated_inputs_and_bias_negate_the_state, T, Reals) {
    const Inputs<T> in;
    const Array y = normal<T>("y_prev", {3, 2}), c = normal<T>("c", {3, 7});
    on_arrays::DecoderWeightsArrays other = in.weights;
    other.b = negated(other.b);
    BOOST_TEST(is_near(decoder_step<T>(negated(y), negated(c), negated(in.s_prev), other),
                       negated(decoder_step<T>(y, c, in.s_prev, in.weights)), 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(later_words_change_no_earlier_step, T, Reals) {
    const Inputs<T> in;
    const Array noise = normal<T>("later", in.y.shape);
    Array y = in.y;
    for (int b = 0; b < 3; ++b)
        for (int t = 3; t < 6; ++t)
            for (int d = 0; d < 2; ++d) y.view<T, 3>()(b, t, d) = noise.view<T, 3>()(b, t, d);
    const auto before = decode<T>(in.h, in.words, in.y, in.weights),
               after = decode<T>(in.h, in.words, y, in.weights),
               fewer = decode<T>(in.h, in.words, part(in.y, 1, 0, 4), in.weights);
    BOOST_TEST(is_near(part(after.S, 1, 0, 3), part(before.S, 1, 0, 3), 0));
    BOOST_TEST(is_near(part(after.A, 1, 0, 3), part(before.A, 1, 0, 3), 0));
    BOOST_TEST(!is_near(part(after.S, 1, 3, 2), part(before.S, 1, 3, 2), 0.1));
    BOOST_TEST(is_near(fewer.S, part(before.S, 1, 0, 3), 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(batches_are_independent, T, Reals) {
    const Inputs<T> in;
    const auto together = decode<T>(in.h, in.words, in.y, in.weights);
    for (int b = 0; b < 3; ++b) {
        const auto alone =
            decode<T>(part(in.h, 0, b, 1), part(in.words, 0, b, 1), part(in.y, 0, b, 1), in.weights);
        BOOST_TEST(is_near(part(together.S, 0, b, 1), alone.S, 0));
        BOOST_TEST(is_near(part(together.A, 0, b, 1), alone.A, 0));
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_grid_gives_the_same_flattened_or_transposed, T, Reals) {
    const Inputs<T> in;
    const on_arrays::DecoderWeightsArrays& w = in.weights;
    const Array grid = normal<T>("grid", {3, 2, 5, 7}), h = shaped(grid, {3, 10, 7});
    const auto found = on_arrays::grid_attention<T>(in.s_prev, grid, w.W_q, w.W_k, w.v);
    const auto flat = on_arrays::attention_context<T>(in.scores(in.s_prev, h), h,
                                                      mask({3, 10}, std::vector<std::uint8_t>(30, 1)));
    BOOST_TEST(is_near(shaped(found.a, {3, 10}), flat.a, 0));
    BOOST_TEST(is_near(found.c, flat.c, 0));
    // Cell (k, r) of the transposed grid is cell (r, k).
    std::vector<int> order;
    for (int k = 0; k < 5; ++k)
        for (int r = 0; r < 2; ++r) order.push_back(r * 5 + k);
    const auto turned = on_arrays::grid_attention<T>(in.s_prev, shaped(permuted(h, 1, order), {3, 5, 2, 7}),
                                                     w.W_q, w.W_k, w.v);
    BOOST_TEST(is_near(turned.a, shaped(permuted(flat.a, 1, order), {3, 5, 2}), kRounding<T>));
    BOOST_TEST(is_near(turned.c, found.c, kRounding<T>));
}

BOOST_AUTO_TEST_SUITE_END()
