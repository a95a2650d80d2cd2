#pragma once
/// The language model of the three sentences, put together from functions of the contract.

#include <string>
#include <vector>

#include "grader/training/forward.h"

namespace attn::trained {

/// The words of the three sentences as numbers, as in assignment 11: START, EOS, then each new word.
struct SentenceWorld {
    std::vector<std::string> words;
    std::vector<std::vector<int>> sentences;  ///< each ends with EOS
};
const SentenceWorld& sentence_world();

inline constexpr int kSentenceStart = 0, kSentenceEnd = 1, kSentenceHeads = 2;

/// The model's probability of every word at every place: [N][V] for N tokens that it reads.
class SentenceModel {
  public:
    SentenceModel(Functions& f, const Weights& weights, From from);

    /// The logits of each place, [N, V]. The model always reads as many tokens as it has positions; behind
    /// the given ones stand START, which the mask hides.
    Array logits(const std::vector<int>& tokens);

    /// What it writes after START and these words, up to EOS or the last position.
    std::vector<int> completed(std::vector<int> words);

    /// The mean surprise at the words of the three sentences, in nats.
    double loss();

    /// The weights of attention in the last block for START and these words: [H, N, N], N their number and
    /// one.
    Array attention(const std::vector<int>& words);

    /// Most words that it can read after START.
    int most_words() const { return N_ - 1; }

  private:
    /// What the last block reads: [1, N, D].
    Array before_last_block(const std::vector<int>& tokens);

    Functions& f_;
    const Weights& weights_;
    Array table_, positions_;
    int N_;
    BlockOptions options_;
};

}  // namespace attn::trained
