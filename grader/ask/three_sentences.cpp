#include "grader/ask/three_sentences.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "datasets/sentences.h"
#include "datasets/shipped.h"

namespace attn::ask {
namespace {

ThreeSentences read_world() {
    ThreeSentences world{{"START", "EOS"}, {}};
    const auto all = data::read_sentences(data::shipped("lecture_sentences.txt"));
    for (const char* name : {"think", "like", "network"}) {
        std::vector<int>& sentence = world.sentences.emplace_back();
        for (const std::string& word : data::tokens(data::find_sentence(all, name))) {
            const auto known = std::ranges::find(world.words, word);
            sentence.push_back(static_cast<int>(known - world.words.begin()));
            if (known == world.words.end()) world.words.push_back(word);
        }
        sentence.push_back(1);
    }
    return world;
}

/// The mean surprise at a word whose probability is the share of its context's occurrences that it follows.
/// `context`: what the model knows of the first `count` words.
template <class Context>
double mean_surprise(const std::vector<std::vector<int>>& sentences, const Context& context) {
    std::map<std::vector<int>, int> before;
    std::map<std::pair<std::vector<int>, int>, int> next;
    double count = 0, sum = 0;
    for (const std::vector<int>& sentence : sentences) {
        for (std::size_t i = 0; i < sentence.size(); ++i) {
            const std::vector<int> known = context(sentence, i);
            ++before[known];
            ++next[{known, sentence[i]}];
            ++count;
        }
    }
    for (const auto& [pair, times] : next)
        sum -= times * std::log(static_cast<double>(times) / before.at(pair.first));
    return sum / count;
}

}  // namespace

double ThreeSentences::floor() const {
    return mean_surprise(sentences, [](const std::vector<int>& sentence, std::size_t i) {
        return std::vector<int>(sentence.begin(), sentence.begin() + static_cast<std::ptrdiff_t>(i));
    });
}

double ThreeSentences::floor_of_bigrams() const {
    return mean_surprise(sentences, [](const std::vector<int>& sentence, std::size_t i) {
        return std::vector<int>{i == 0 ? 0 : sentence[i - 1]};
    });
}

const ThreeSentences& three_sentences() {
    static const ThreeSentences kWorld = read_world();
    return kWorld;
}

Scene scene_of_sentences(int N) {
    const ThreeSentences& world = three_sentences();
    std::vector<std::vector<std::string>> lines;
    for (const std::vector<int>& sentence : world.sentences) {
        lines.push_back({"START"});
        for (const int token : sentence) lines.back().push_back(world.words[static_cast<std::size_t>(token)]);
        lines.back().resize(static_cast<std::size_t>(N));
    }
    return {{{"N", lines}, {"V", {world.words}}}};
}

}  // namespace attn::ask
