#pragma once
/// The book as lines of words, chapter by chapter, and its words as tokens.

#include <map>
#include <string>
#include <vector>

#include "reference/models/random.h"

namespace attn::training {

using Words = std::vector<std::string>;

/// The words of a line in small letters. A word is a run of letters, in which single hyphens and apostrophes may stand; any other
/// sign is a word of its own.
Words words_of_line(const std::string& line);

/// The lines of each chapter that have words. A chapter begins with a line "CHAPTER ..". Throws std::invalid_argument if
/// the text has fewer than `least` chapters.
std::vector<std::vector<Words>> chapters_of(const std::string& text, int least);

/// Assignment 12's special tokens, then kUnknown, then the words that occur `least` times or more in the lines.
class Vocabulary {
  public:
    static constexpr int kUnknown = 5;
    Vocabulary(const std::vector<Words>& lines, int least);

    int size() const { return static_cast<int>(words_.size()); }
    int token(const std::string& word) const;
    std::vector<int> tokens(const Words& words) const;
    const std::string& word(int token) const { return words_.at(static_cast<std::size_t>(token)); }

  private:
    std::vector<std::string> words_;
    std::map<std::string, int> numbers_;
};

/// The tokens in another order than before, where there is one.
std::vector<int> in_disorder(std::vector<int> tokens, Random& random);

/// What tables know about a hidden word from its neighbours, without any model: counts of a text.
class NeighbourTable {
  public:
    /// kUnknown is never counted as a hidden word.
    explicit NeighbourTable(const std::vector<int>& text);

    int most_frequent() const { return most_frequent_; }
    /// The most frequent word between these two; if they never stood so, after the first one; if that is new, of all.
    int between(int before, int after) const;
    /// The surprise at a word, in nats, of one that knows how frequent each of V tokens is. Each is counted once more.
    double surprise(int word, int V) const;

  private:
    std::map<int, int> counts_;
    std::map<int, int> after_;
    std::map<std::pair<int, int>, int> between_;
    int most_frequent_ = 0, total_ = 0;
};

}  // namespace attn::training
