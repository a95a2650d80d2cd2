// The two losses that the handouts and the report name.

#include "grader/ask/three_sentences.h"

#include <cmath>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(three_sentences)

BOOST_AUTO_TEST_CASE(nineteen_words_are_predicted) {
    const auto& world = attn::ask::three_sentences();
    BOOST_TEST(world.words.size() == 14U);
    std::size_t count = 0;
    for (const std::vector<int>& sentence : world.sentences) count += sentence.size();
    BOOST_TEST(count == 19U);
    BOOST_TEST(world.sentences[1] == (std::vector<int>{2, 6, 7, 8, 1}));
}

BOOST_AUTO_TEST_CASE(only_the_word_after_I_is_open) {
    BOOST_TEST(std::abs(attn::ask::three_sentences().floor() - 3 * std::log(3.0) / 19) < 1e-12);
    BOOST_TEST(std::abs(attn::ask::three_sentences().floor() - 0.1735) < 5e-5);
}

// After "I" 1/4, 1/4, 1/2; after "am" EOS or "not".
BOOST_AUTO_TEST_CASE(the_last_word_alone_leaves_more_open) {
    BOOST_TEST(std::abs(attn::ask::three_sentences().floor_of_bigrams() -
                        (6 * std::log(2.0) + 2 * std::log(2.0)) / 19) < 1e-12);
    BOOST_TEST(std::abs(attn::ask::three_sentences().floor_of_bigrams() - 0.2919) < 5e-5);
}

BOOST_AUTO_TEST_SUITE_END()
