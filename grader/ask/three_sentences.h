#pragma once
/// The whole world of a lecture's language model: three sentences, as numbers.

#include <string>
#include <vector>

#include "grader/ask/module.h"

namespace attn::ask {

struct ThreeSentences {
    std::vector<std::string> words;           ///< word 0 is START, word 1 is EOS
    std::vector<std::vector<int>> sentences;  ///< what is to be predicted: each ends with EOS

    /// The best mean loss over all words, of a model that reads everything before: only the word after "I" is
    /// open. A model with less has seen the word that it predicts.
    double floor() const;
    /// The best mean loss of a model that reads only the last word.
    double floor_of_bigrams() const;
};

const ThreeSentences& three_sentences();

/// The words of the sentences along an axis N of this length, and all words along V.
Scene scene_of_sentences(int N);

}  // namespace attn::ask
