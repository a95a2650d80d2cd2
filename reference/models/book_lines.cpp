#include "reference/models/book_lines.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "reference/models/masked_language.h"

namespace attn::training {
namespace {

bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

/// Which word each key has most often; of equally frequent ones the smallest number.
template <class Key>
std::map<Key, int> most_frequent_of(const std::map<Key, std::map<int, int>>& counts) {
    std::map<Key, int> result;
    for (const auto& [key, words] : counts)
        result[key] = std::max_element(words.begin(), words.end(), [](const auto& a, const auto& b) {
                          return a.second < b.second;
                      })->first;
    return result;
}

}  // namespace

Words words_of_line(const std::string& line) {
    Words words;
    for (std::size_t k = 0; k < line.size(); ++k) {
        if (line[k] == ' ') continue;
        std::string word;
        while (k < line.size() && is_letter(line[k])) {
            word += static_cast<char>(std::tolower(static_cast<unsigned char>(line[k++])));
            const bool joins =
                k + 1 < line.size() && (line[k] == '\'' || line[k] == '-') && is_letter(line[k + 1]);
            if (joins) word += line[k++];
        }
        if (word.empty())
            word = line[k];
        else
            --k;
        words.push_back(word);
    }
    return words;
}

std::vector<std::vector<Words>> chapters_of(const std::string& text, int least) {
    std::vector<std::vector<Words>> chapters;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("CHAPTER ", 0) == 0) {
            chapters.emplace_back();
            continue;
        }
        Words words = words_of_line(line);
        if (!chapters.empty() && !words.empty()) chapters.back().push_back(std::move(words));
    }
    if (static_cast<int>(chapters.size()) < least)
        throw std::invalid_argument("the text has " + std::to_string(chapters.size()) + " chapters, but " +
                                    std::to_string(least) +
                                    " are needed; a chapter begins with a line such as \"CHAPTER I\"");
    return chapters;
}

Vocabulary::Vocabulary(const std::vector<Words>& lines, int least) : words_(special_tokens()) {
    words_.emplace_back("<unknown>");
    std::map<std::string, int> counts;
    for (const Words& line : lines)
        for (const std::string& word : line) ++counts[word];
    for (const auto& [word, count] : counts)
        if (count >= least) {
            numbers_[word] = size();
            words_.push_back(word);
        }
}

int Vocabulary::token(const std::string& word) const {
    const auto found = numbers_.find(word);
    return found == numbers_.end() ? kUnknown : found->second;
}

std::vector<int> Vocabulary::tokens(const Words& words) const {
    std::vector<int> result;
    for (const std::string& word : words) result.push_back(token(word));
    return result;
}

std::vector<int> in_disorder(std::vector<int> tokens, Random& random) {
    const std::vector<int> before = tokens;
    const bool alike =
        std::adjacent_find(tokens.begin(), tokens.end(), std::not_equal_to<>()) == tokens.end();
    do {
        for (int k = static_cast<int>(tokens.size()); k > 1; --k)
            std::swap(tokens[static_cast<std::size_t>(k - 1)],
                      tokens[static_cast<std::size_t>(random.below(k))]);
    } while (tokens == before && !alike);
    return tokens;
}

NeighbourTable::NeighbourTable(const std::vector<int>& text) {
    std::map<int, std::map<int, int>> after;
    std::map<std::pair<int, int>, std::map<int, int>> between;
    for (std::size_t k = 0; k < text.size(); ++k) {
        if (text[k] == Vocabulary::kUnknown) continue;
        ++counts_[text[k]];
        ++total_;
        if (k > 0) ++after[text[k - 1]][text[k]];
        if (k > 0 && k + 1 < text.size()) ++between[{text[k - 1], text[k + 1]}][text[k]];
    }
    most_frequent_ = most_frequent_of(std::map<int, std::map<int, int>>{{0, counts_}}).at(0);
    after_ = most_frequent_of(after);
    between_ = most_frequent_of(between);
}

int NeighbourTable::between(int before, int after) const {
    if (const auto found = between_.find({before, after}); found != between_.end()) return found->second;
    if (const auto found = after_.find(before); found != after_.end()) return found->second;
    return most_frequent_;
}

double NeighbourTable::surprise(int word, int V) const {
    const auto found = counts_.find(word);
    const int count = found == counts_.end() ? 0 : found->second;
    return -std::log((count + 1.0) / (total_ + V));
}

}  // namespace attn::training
