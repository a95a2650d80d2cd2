#include "grader/ask/three_sentences.h"

#include <algorithm>

#include "datasets/sentences.h"
#include "datasets/shipped.h"
#include "datasets/surprise.h"

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

}  // namespace

double ThreeSentences::floor() const {
    return data::least_surprise(sentences, data::Known::everything);
}

double ThreeSentences::floor_of_bigrams() const {
    return data::least_surprise(sentences, data::Known::last_word);
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
