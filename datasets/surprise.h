#pragma once
/// The least loss of a model that knows only a part of what stands before a word: exact, because it is counted.

#include <vector>

namespace attn::data {

/// What a model knows when it predicts a word of a sentence.
enum class Known {
    everything,           ///< all words before, in their order
    words_before,         ///< which words stand before, but not in which order, and the last of them
    last_word_and_place,  ///< the word before, and the place in the sentence
    last_word             ///< the word before; before the first word stands word 0
};

enum class Counted { all_words, last_words };

/// The least mean surprise, in nats, at all words of the sentences or at the last of each. The sentences are the
/// whole world, and equally probable: a word's probability is its share among the words that follow what is known.
double least_surprise(const std::vector<std::vector<int>>& sentences, Known known,
                      Counted counted = Counted::all_words);

}  // namespace attn::data
