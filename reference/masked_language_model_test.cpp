// The worked examples of the handout, and answers that are easy to check by hand.

#include <cmath>
#include <stdexcept>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/language_model_on_arrays.h"
#include "contracts/masked_language_model_on_arrays.h"
#include "reference/testing/near.h"

using attn::Array;
using attn::SentenceToken;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(masked_language_model)

namespace {

/// "take a seat , have a drink" between <s> and </s>: its words in the order of the alphabet, from token 5 on.
Array seat() {
    return numbers<int>("tokens", {1, 9}, {1, 10, 6, 9, 5, 8, 6, 7, 2});
}

/// "I am <mask>" and "J' <mask> faim"
Array hungry_en() {
    return numbers<int>("first", {1, 3}, {5, 6, 4});
}
Array hungry_fr() {
    return numbers<int>("second", {1, 3}, {8, 4, 10});
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(the_slides_sentence, T, Reals) {
    const Array place = numbers<T>("u_place", {1, 9}, {.1, .05, .5, .9, .1, .3, .2, .14, .01}),
                word = numbers<T>("u_word", {1, 9}, {0, 0, 0, 0, .4, 0, 0, 0, 0});
    const auto masked = on_arrays::mask_tokens<T>(
        seat(), place, numbers<T>("u_kind", {1, 9}, {0, .3, 0, 0, .5, 0, 0, .7, 0}), word, 11, T(0.15));
    BOOST_TEST(is_near(masked.hidden, {1, 4, 6, 9, 4, 8, 6, 4, 2}, 0));
    BOOST_TEST(is_near(masked.targets, {-1, 10, -1, -1, 5, -1, -1, 7, -1}, 0));
    const auto mixed = on_arrays::mask_tokens<T>(
        seat(), place, numbers<T>("u_kind", {1, 9}, {0, .3, 0, 0, .85, 0, 0, .95, 0}), word, 11, T(0.15));
    BOOST_TEST(is_near(mixed.hidden, {1, 4, 6, 9, 7, 8, 6, 7, 2}, 0));
    BOOST_TEST(is_near(mixed.targets, {-1, 10, -1, -1, 5, -1, -1, 7, -1}, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_loss_of_two_places, T, Reals) {
    const Array logits = numbers<T>("logits", {1, 3, 3}, {2, 0, 0, 9, 9, 9, 0, 1, 0}),
                targets = numbers<int>("targets", {1, 3}, {0, -1, 2});
    const auto y = on_arrays::mlm_loss<T>(logits, targets);
    BOOST_TEST(is_near(y.loss, {0.8955}, 5e-5));
    BOOST_TEST(is_near(y.right, {0.5}, 0));
    // The loss is the cross entropy of assignment 11.
    BOOST_TEST(is_near(y.loss, {number_at(on_arrays::cross_entropy<T>(logits, targets, T(0)).loss, 0)},
                       kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_heads_of_the_handout, T, Reals) {
    const Array none = numbers<T>("b", {2}, {0, 0}), ones = numbers<T>("gamma", {2}, {1, 1});
    const Array token = on_arrays::token_head<T>(
        numbers<T>("X", {1, 1, 2}, {1, -1}), numbers<T>("W", {2, 2}, {1, 0, 0, 1}), none, ones, none,
        numbers<T>("table", {3, 2}, {1, 0, 0, 1, 1, 1}), numbers<T>("bias", {3}, {0, 0, 0.5}), T(1e-5));
    BOOST_TEST(is_near(token, {1.0000, -1.0000, 0.5}, 5e-5));
    const Array X = numbers<T>("X", {1, 2, 2}, {1, 0, 0, 1}), W = numbers<T>("W", {2, 2}, {1, 2, 0, -1}),
                W_c = numbers<T>("W_c", {2, 1}, {1, 1}), b_c = numbers<T>("b_c", {1}, {0.5}),
                two = numbers<int>("lengths", {1}, {2});
    BOOST_TEST(is_near(on_arrays::sentence_head<T>(X, two, W, none, W_c, b_c, SentenceToken::first), {2.2256},
                       5e-5));
    BOOST_TEST(is_near(on_arrays::sentence_head<T>(X, two, W, none, W_c, b_c, SentenceToken::last), {-0.2616},
                       5e-5));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(two_hungry_sentences, T, Reals) {
    const Array three = numbers<int>("lengths_1", {1}, {3}), table = Array::zeros<T>("table", {11, 1}),
                P = Array::zeros<T>("P", {9, 1}), E = numbers<T>("E", {2, 1}, {10, 20});
    const auto y = on_arrays::tlm_input<T>(hungry_en(), hungry_fr(), three, three, table, P, E, 0, 1, 3);
    BOOST_TEST(is_near(y.tokens, {1, 5, 6, 4, 3, 8, 4, 10, 2}, 0));
    BOOST_TEST(is_near(y.positions, {0, 1, 2, 3, 0, 1, 2, 3, 4}, 0));
    BOOST_TEST(is_near(y.languages, {0, 0, 0, 0, 1, 1, 1, 1, 1}, 0));
    BOOST_TEST(is_near(y.X, {10, 10, 10, 10, 20, 20, 20, 20, 20}, 0));
    // One word less, and <pad> at the end
    const auto shorter = on_arrays::tlm_input<T>(
        hungry_en(), hungry_fr(), numbers<int>("lengths_1", {1}, {2}), three, table, P, E, 0, 1, 3);
    BOOST_TEST(is_near(shorter.tokens, {1, 5, 6, 3, 8, 4, 10, 2, 0}, 0));
    BOOST_TEST(is_near(shorter.positions, {0, 1, 2, 0, 1, 2, 3, 4, 0}, 0));
    BOOST_TEST(is_near(shorter.X, {10, 10, 10, 20, 20, 20, 20, 20, 0}, 0));
}

// Devlin et al. 2019, appendix A.1: 15 % of the words are chosen; 12 % become <mask>, 1.5 % another word, 1.5 % stay.
BOOST_AUTO_TEST_CASE_TEMPLATE(shares_of_bert, T, Reals) {
    constexpr int kPlaces = 100, kKinds = 40;
    Array tokens = unwritten<int>("tokens", {kPlaces, kKinds}),
          place = unwritten<T>("u_place", {kPlaces, kKinds}),
          kind = unwritten<T>("u_kind", {kPlaces, kKinds}),
          word = Array::zeros<T>("u_word", {kPlaces, kKinds});
    for (int p = 0; p < kPlaces; ++p)
        for (int k = 0; k < kKinds; ++k) {
            tokens.view<int, 2>()(p, k) = 9;
            place.view<T, 2>()(p, k) = (T(p) + T(0.5)) / T(kPlaces);
            kind.view<T, 2>()(p, k) = (T(k) + T(0.5)) / T(kKinds);
        }
    const auto y = on_arrays::mask_tokens<T>(tokens, place, kind, word, 10, T(0.15));
    int mask = 0, other = 0, kept = 0;
    for (int n = 0; n < kPlaces * kKinds; ++n) {
        const auto at = static_cast<std::size_t>(n);
        const int hidden = y.hidden.template as<int>()[at], target = y.targets.template as<int>()[at];
        mask += hidden == 4 ? 1 : 0;
        other += hidden == 5 ? 1 : 0;
        kept += hidden == 9 && target == 9 ? 1 : 0;
    }
    BOOST_TEST(mask == 0.12 * kPlaces * kKinds);
    BOOST_TEST(other == 0.015 * kPlaces * kKinds);
    BOOST_TEST(kept == 0.015 * kPlaces * kKinds);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(what_the_contract_refuses, T, Reals) {
    const Array u = Array::zeros<T>("u_place", {1, 9});
    BOOST_CHECK_THROW(on_arrays::mask_tokens<T>(seat(), u, u, u, 10, T(0.15)), std::invalid_argument);
    const Array long_one = numbers<int>("lengths_1", {1}, {4}), three = numbers<int>("lengths_2", {1}, {3}),
                table = Array::zeros<T>("table", {11, 1}), P = Array::zeros<T>("P", {9, 1}),
                E = Array::zeros<T>("E", {2, 1});
    BOOST_CHECK_THROW(
        on_arrays::tlm_input<T>(hungry_en(), hungry_fr(), long_one, three, table, P, E, 0, 1, 3),
        std::invalid_argument);
    BOOST_CHECK_THROW(on_arrays::tlm_input<T>(hungry_en(), hungry_fr(), three, three, table, P, E, 0, 2, 3),
                      std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
