#pragma once
/// Recall: some keys, each followed by its value, then one of the keys again. The answer is its value.

#include <string>
#include <vector>

namespace attn::data {

struct Recall {
    std::vector<std::string> words;  ///< START, then the keys "a", "b", .., then the values "1", "2", ..
    /// What is to be predicted, word by word: "b 1 a 2 a 2" as numbers of words. The last one is the answer.
    std::vector<std::vector<int>> sentences;
};

/// The whole world of recall with this many pairs (1 to 4): the keys in each order, the values in each order, and
/// each key asked for. Its sentences are equally probable. Every sentence has the same keys and values, so only
/// which value follows which key decides the answer.
Recall recall(int pairs);

}  // namespace attn::data
