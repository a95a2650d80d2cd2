// Assignment 14: a drawing of which word looks at which in the model that a training ends with.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "grader/ask/inputs.h"
#include "grader/ask/three_sentences.h"
#include "grader/assignments/training/helpers.h"
#include "grader/assignments/training/trained_model.h"

namespace attn::ask::training {
namespace {

// "I think therefore I am": after the second I, what stands before it decides.
constexpr int kSentence = 0, kPlace = 4;

/// "head 0 looks most at “think” (0.44), ..", of the word at kPlace.
std::string most_seen(const Array& A, const std::vector<std::string>& words) {
    std::string heads;
    for (int h = 0; h < A.shape[0]; ++h) {
        const auto row = A.view<double, 3>()[h][kPlace];
        const auto most = std::max_element(row.data(), row.data() + kPlace + 1) - row.data();
        const std::string word = most == kPlace ? "itself"
                                 : most == 1    ? "the first \u201cI\u201d"
                                             : "\u201c" + words.at(static_cast<std::size_t>(most)) + "\u201d";
        heads += fmt::format("{}head {} looks most at {} ({:.2f})", h == 0 ? "" : ", ", h, word,
                             row(static_cast<int>(most)));
    }
    return heads;
}

const char* meaning(double usual, double alone) {
    if (usual < 0.5) return "the model has not learned what follows";
    if (alone < 0.5) return "the model needs the words before it";
    return "the model knows the word's place in the sentence, and that is enough";
}

std::optional<Drawing> attention_of_sentences(const Arrays& inputs, const Arrays& outputs) {
    if (!has(outputs, "theta_new")) return std::nullopt;
    const ThreeSentences& world = three_sentences();
    const std::vector<int>& sentence = world.sentences.at(kSentence);
    std::vector<std::string> words = {"START"};
    for (std::size_t i = 0; i + 1 < sentence.size(); ++i)
        words.push_back(world.words[static_cast<std::size_t>(sentence[i])]);
    const TrainedModel model(inputs, by_name(outputs, "theta_new"), kSentence);
    const Array A = model.attention(0, static_cast<int>(words.size()));
    const int next = sentence.at(kPlace);
    const double usual = model.probability(kPlace, next, false),
                 alone = model.probability(kPlace, next, true);
    if (!all_finite(A) || !std::isfinite(usual) || !std::isfinite(alone)) return std::nullopt;
    const std::string& word = world.words[static_cast<std::size_t>(next)];
    Drawing drawn;
    drawn.matrices = with_three_digits(A);
    drawn.letters = {"H", "N", "N"};
    drawn.words = words;
    drawn.sentences = {
        "Which word looked at which: the weights of attention of the first block, one picture for each head. "
        "Each row is a word that the model has just read, each column a word that it looks at. The "
        "reference's plain loops computed them from the weights that your training ended with.",
        fmt::format(
            "Look at the second \u201cI\u201d, the last row but one. Only \u201c{}\u201d is right after "
            "it, but after the first one any of three words. Here {}.",
            word, most_seen(A, words)),
        fmt::format(
            "The model writes \u201c{}\u201d there with the probability {:.3f}. If this \u201cI\u201d "
            "saw only itself, it would be {:.3f}: {}.",
            word, usual, alone, meaning(usual, alone))};
    return drawn;
}

}  // namespace

std::vector<DrawingRecipe> drawings() {
    return {{"A", attention_of_sentences}};
}

}  // namespace attn::ask::training
