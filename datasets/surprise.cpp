#include "datasets/surprise.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace attn::data {
namespace {

/// What is known when word i is predicted. Equal lists: the same knowledge.
std::vector<int> knowledge(const std::vector<int>& sentence, std::size_t i, Known known) {
    const int last = i == 0 ? 0 : sentence[i - 1];
    if (known == Known::last_word) return {last};
    if (known == Known::last_word_and_place) return {last, static_cast<int>(i)};
    std::vector<int> before(sentence.begin(), sentence.begin() + static_cast<std::ptrdiff_t>(i));
    if (known == Known::words_before) {
        std::sort(before.begin(), before.end());
        before.push_back(last);
    }
    return before;
}

}  // namespace

double least_surprise(const std::vector<std::vector<int>>& sentences, Known known, Counted counted) {
    std::map<std::vector<int>, int> before;
    std::map<std::pair<std::vector<int>, int>, int> next;
    double count = 0, sum = 0;
    for (const std::vector<int>& sentence : sentences) {
        for (std::size_t i = counted == Counted::all_words ? 0 : sentence.size() - 1; i < sentence.size();
             ++i) {
            const std::vector<int> context = knowledge(sentence, i, known);
            ++before[context];
            ++next[{context, sentence[i]}];
            ++count;
        }
    }
    for (const auto& [pair, times] : next)
        sum -= times * std::log(static_cast<double>(times) / before.at(pair.first));
    return sum / count;
}

}  // namespace attn::data
