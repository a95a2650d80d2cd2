// Answers computed by hand, and properties that the grader cannot ask of one call.

#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "contracts/language_model_on_arrays.h"
#include "reference/testing/near.h"
#include "reference/testing/transformer_block_inputs.h"

using attn::Array;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(language_model)

namespace {

Array whole(const std::string& name, const attn::Shape& shape, std::vector<int> values) {
    return {name, shape, std::move(values)};
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(the_worked_examples_of_the_handout, T, Reals) {
    BOOST_TEST(is_near(on_arrays::embed_tokens<T>(whole("tokens", {1, 3}, {1, 0, 2}),
                                                  numbers<T>("table", {3, 2}, {1, 2, 3, 4, 5, 6})),
                       {3, 4, 1, 2, 5, 6}, 0));
    BOOST_TEST(is_near(on_arrays::shift_right(whole("targets", {1, 4}, {5, 7, 1, -1}), 0), {0, 5, 7, 1}, 0));
    const Array logits = numbers<T>("logits", {1, 3, 3}, {0, 0, 0, 2, 1, 0, 1, 1, 3}),
                targets = whole("targets", {1, 3}, {2, 0, -1});
    const auto plain = on_arrays::cross_entropy<T>(logits, targets, T(0));
    BOOST_TEST(is_near(plain.losses, {1.0986, 0.4076, 0}, 5e-5));
    BOOST_TEST(is_near(plain.loss, {0.7531}, 5e-5));
    BOOST_TEST(is_near(on_arrays::cross_entropy<T>(logits, targets, T(0.3)).loss, {0.9031}, 5e-5));
    BOOST_TEST(is_near(on_arrays::perplexity<T>(logits, targets), {2.1236}, 5e-5));
    const Array two = numbers<T>("logits", {1, 2, 3}, {0, 0, 0, 2, 1, 0});
    BOOST_TEST(is_near(on_arrays::next_token_probabilities<T>(two, T(1)), {0.6652, 0.2447, 0.0900}, 5e-5));
    BOOST_TEST(is_near(on_arrays::next_token_probabilities<T>(two, T(0.5)), {0.8668, 0.1173, 0.0159}, 5e-5));
    const Array P = numbers<T>("P", {2, 4}, {0.4, 0.1, 0.3, 0.2, 0.4, 0.1, 0.3, 0.2}),
                u = numbers<T>("u", {2}, {0.5, 0.9});
    const auto top_k = on_arrays::sample_top_k<T>(P, u, 2);
    BOOST_TEST(is_near(top_k.Q, {0.5714, 0, 0.4286, 0, 0.5714, 0, 0.4286, 0}, 5e-5));
    BOOST_TEST(is_near(top_k.tokens, {0, 2}, 0));
    const auto top_p = on_arrays::sample_top_p<T>(P, u, T(0.75));
    BOOST_TEST(is_near(top_p.Q, {0.4444, 0, 0.3333, 0.2222, 0.4444, 0, 0.3333, 0.2222}, 5e-5));
    BOOST_TEST(is_near(top_p.tokens, {2, 3}, 0));
}

// START 0, EOS 1; I think therefore I am; I like machine learning; I am not just a neural network. Only the word after
// "I" is open: three sentences, 19 targets, and a loss of 3 ln 3 / 19.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_best_loss_in_the_world_of_three_sentences, T, Reals) {
    const Array targets = whole(
        "targets", {3, 8}, {2, 3, 4, 2, 5, 1, -1, -1, 2, 6, 7, 8, 1, -1, -1, -1, 2, 5, 9, 10, 11, 12, 13, 1});
    Array logits = unwritten<T>("logits", {3, 8, 14});
    const auto by_heart = logits.view<T, 3>();
    for (int b = 0; b < 3; ++b)
        for (int i = 0; i < 8; ++i)
            for (int v = 0; v < 14; ++v) {
                const bool open = i == 1, known = targets.view<int, 2>()(b, i) == v;
                by_heart(b, i, v) = (open ? v == 3 || v == 5 || v == 6 : known) ? T(0) : T(-100);
            }
    BOOST_TEST(is_near(on_arrays::cross_entropy<T>(logits, targets, T(0)).loss, {3 * std::log(3) / 19},
                       kRounding<T>));
    for (T& x : logits.as<T>()) x = 5;
    BOOST_TEST(is_near(on_arrays::perplexity<T>(logits, targets), {14}, 100 * kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(without_a_target_that_counts_the_loss_is_0, T, Reals) {
    const Array logits = normal<T>("logits", {1, 2, 3}), none = whole("targets", {1, 2}, {-1, -1});
    BOOST_TEST(is_near(on_arrays::cross_entropy<T>(logits, none, T(0)).loss, {0}, 0));
    BOOST_TEST(is_near(on_arrays::perplexity<T>(logits, none), {1}, 0));
}

// The cache gives what a whole pass for each token gives; of 3 kept tokens, so that u counts, too.
BOOST_AUTO_TEST_CASE_TEMPLATE(generating_equals_whole_passes, T, Reals) {
    const int N = 3, N_new = 5, D = 4, V = 6, H = 2;
    std::map<std::string, Array> all =
        stacked<T>({normal_parameters<T>(D, 5), normal_parameters<T>(D, 5, "'")}).by_name;
    all["gamma"] = normal<T>("gamma", {D});
    all["beta"] = normal<T>("beta", {D});
    const auto weights = made_of<on_arrays::EncoderWeightsArrays>(all);
    const Array table = normal<T>("table", {V, D}), P = normal<T>("P", {N + N_new, D}),
                u = numbers<T>("u", {1, N_new}, {0.1, 0.3, 0.5, 0.7, 0.95});
    std::vector<int> text = {0, 2, 4};
    const Array written =
        on_arrays::generate<T>(whole("prompt", {1, N}, text), table, P, weights, u, H, 3, 0.7, -1);
    for (std::size_t i = 0; i < N_new; ++i) {
        const auto length = static_cast<int>(text.size());
        std::vector<int> places(text.size());
        std::iota(places.begin(), places.end(), 0);
        Array positions = P;
        positions.shape = {1, N + N_new, D};
        positions = rows<T>(positions, places);
        positions.shape = {length, D};
        Array logits =
            on_arrays::language_model<T>(whole("tokens", {1, length}, text), table, positions, weights, H);
        const Array next = on_arrays::next_token_probabilities<T>(logits, 0.7);
        const Array drawn = on_arrays::sample_top_k<T>(next, numbers<T>("u", {1}, {u.as<T>()[i]}), 3).tokens;
        BOOST_TEST(written.as<int>()[i] == drawn.as<int>()[0]);
        text.push_back(drawn.as<int>()[0]);
    }
    BOOST_TEST(std::set<int>(text.begin() + N, text.end()).size() > 1U);
}

// github.com/huggingface/transformers, commit 5ea83b0e4bed678bda24e6a1512b7afae30f359a,
// tests/generation/test_logits_process.py, test_top_k_dist_warper and test_top_p_dist_warper: which tokens are kept.
// Apache-2.0. Of two ramps of logits k = 3 are kept, and of two distributions those that reach p = 0.8.
BOOST_AUTO_TEST_CASE_TEMPLATE(huggingface_top_k_and_top_p, T, Reals) {
    const Array ramps =
        numbers<T>("logits", {2, 1, 10}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 5, 6, 7, 8, 9});
    const Array u = numbers<T>("u", {2}, {0.5, 0.5});
    const Array Q = on_arrays::sample_top_k<T>(on_arrays::next_token_probabilities<T>(ramps, 1), u, 3).Q;
    for (std::size_t v = 0; v < 20; ++v)
        BOOST_TEST((Q.as<T>()[v] > 0) == (v < 10 ? v >= 7 : v >= 12 && v < 15));
    const Array P = numbers<T>("P", {2, 4}, {0.3, 0.1, 0.1, 0.5, 0.15, 0.3, 0.3, 0.25});
    BOOST_TEST(is_near(on_arrays::sample_top_p<T>(P, u, 0.8).Q,
                       {0.3 / 0.8, 0, 0, 0.5 / 0.8, 0, 0.3 / 0.85, 0.3 / 0.85, 0.25 / 0.85}, 1e-6));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(invalid_arguments_are_refused, T, Reals) {
    const Array table = normal<T>("table", {3, 2}), logits = normal<T>("logits", {1, 1, 3}),
                P = numbers<T>("P", {1, 2}, {0.5, 0.5}), u = numbers<T>("u", {1}, {0.5});
    for (const int token : {-1, 3})
        BOOST_CHECK_THROW(on_arrays::embed_tokens<T>(whole("tokens", {1, 1}, {token}), table),
                          std::invalid_argument);
    for (const int target : {-2, 3})
        BOOST_CHECK_THROW(on_arrays::cross_entropy<T>(logits, whole("targets", {1, 1}, {target}), T(0)),
                          std::invalid_argument);
    for (const int k : {0, 3}) BOOST_CHECK_THROW(on_arrays::sample_top_k<T>(P, u, k), std::invalid_argument);
    for (const double none : {0.0, -1.0, std::nan("")}) {
        BOOST_CHECK_THROW(on_arrays::sample_top_p<T>(P, u, static_cast<T>(none)), std::invalid_argument);
        BOOST_CHECK_THROW(on_arrays::next_token_probabilities<T>(logits, static_cast<T>(none)),
                          std::invalid_argument);
    }
}

BOOST_AUTO_TEST_SUITE_END()
