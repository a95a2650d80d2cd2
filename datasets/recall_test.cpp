// The world of recall and its floors: what a model can reach that knows a part of what it has read.

#include "datasets/recall.h"

#include <cmath>
#include <set>
#include <stdexcept>

#include <boost/test/unit_test.hpp>

#include "datasets/surprise.h"

namespace attn::data {
namespace {

BOOST_AUTO_TEST_SUITE(recall)

BOOST_AUTO_TEST_CASE(every_order_of_keys_and_values_is_asked_for_every_key) {
    std::size_t factorial = 1;
    for (int K = 1; K <= 4; ++K) {
        factorial *= static_cast<std::size_t>(K);
        const Recall world = data::recall(K);
        BOOST_TEST(world.words.size() == static_cast<std::size_t>(1 + 2 * K));
        BOOST_TEST(world.sentences.size() == factorial * factorial * static_cast<std::size_t>(K));
        const std::set<std::vector<int>> different(world.sentences.begin(), world.sentences.end());
        BOOST_TEST(different.size() == world.sentences.size());
    }
    BOOST_CHECK_THROW(data::recall(0), std::invalid_argument);
    BOOST_CHECK_THROW(data::recall(5), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(the_answer_is_the_value_behind_the_key) {
    for (const std::vector<int>& sentence : data::recall(3).sentences) {
        BOOST_REQUIRE(sentence.size() == 8U);
        bool found = false;
        for (std::size_t k = 0; k < 6; k += 2) {
            BOOST_TEST((sentence[k] >= 1 && sentence[k] <= 3));
            BOOST_TEST((sentence[k + 1] >= 4 && sentence[k + 1] <= 6));
            if (sentence[k] != sentence[6]) continue;
            BOOST_TEST(!found);
            found = true;
            BOOST_TEST(sentence[7] == sentence[k + 1]);
        }
        BOOST_TEST(found);
    }
}

BOOST_AUTO_TEST_CASE(only_a_model_that_knows_which_value_follows_which_key_can_answer) {
    const auto near = [](double a, double b) { return std::abs(a - b) < 1e-12; };
    for (int K = 1; K <= 4; ++K) {
        const auto sentences = data::recall(K).sentences;
        const auto answers = [&](Known known) {
            return least_surprise(sentences, known, Counted::last_words);
        };
        BOOST_TEST(answers(Known::everything) == 0);
        // A model without attention, and one that looks at all places alike.
        BOOST_TEST(near(answers(Known::last_word_and_place), std::log(K)));
        BOOST_TEST(near(answers(Known::words_before), std::log(K)));
    }
}

// Key k and value k of K are one of K - k + 1 that are left. The key that is asked for is one of K.
BOOST_AUTO_TEST_CASE(the_floors_of_all_words_are_counted) {
    const auto near = [](double a, double b) { return std::abs(a - b) < 1e-12; };
    for (int K = 2; K <= 4; ++K) {
        const auto sentences = data::recall(K).sentences;
        const double words = 2 * K + 2;
        double pairs = 0;
        for (int left = 1; left <= K; ++left) pairs += 2 * std::log(left);
        BOOST_TEST(near(least_surprise(sentences, Known::everything), (pairs + std::log(K)) / words));
        BOOST_TEST(near(least_surprise(sentences, Known::words_before), (pairs + 2 * std::log(K)) / words));
        BOOST_TEST(near(least_surprise(sentences, Known::last_word_and_place), std::log(K)));
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::data
