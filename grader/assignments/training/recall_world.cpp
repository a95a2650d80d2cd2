// Assignment 14: the world of recall, where only attention finds the answer: what is drawn and said of a training.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "datasets/recall.h"
#include "datasets/surprise.h"
#include "grader/ask/inputs.h"
#include "grader/assignments/training/helpers.h"
#include "grader/assignments/training/trained_model.h"

namespace attn::ask::training {
namespace {

constexpr double kLearned = 0.02;
// The query is the last word that the model reads: START a 1 b 2 a.
constexpr int kQuery = 2 * kRecallPairs + 1;

double least_for_answers(data::Known known) {
    return data::least_surprise(recall_world().sentences, known, data::Counted::last_words);
}

std::string word_of(int number) {
    return "\u201c" + recall_world().words.at(static_cast<std::size_t>(number)) + "\u201d";
}

/// The mean surprise at the answers that P [B, N, V] gives.
double surprise_at_answers(const Array& P) {
    const std::vector<std::vector<int>>& sentences = recall_world().sentences;
    const auto N = static_cast<std::size_t>(P.shape[1]), V = static_cast<std::size_t>(P.shape[2]);
    double sum = 0;
    for (std::size_t b = 0; b < sentences.size(); ++b)
        sum -= std::log(number_at(P, (b * N + N - 1) * V + static_cast<std::size_t>(sentences[b].back())));
    return sum / static_cast<double>(sentences.size());
}

/// Which model answers like this.
const char* meaning_of_answers(double surprise) {
    if (surprise <= kLearned) return "your model finds the value that belongs to the key";
    if (surprise < 0.9 * least_for_answers(data::Known::last_word_and_place))
        return "your model has begun to find the value, but is not yet sure of it";
    return "your model does not find out which value belongs to the key: its attention does not help";
}

std::vector<std::string> sentences_of_recall(const Arrays& outputs) {
    if (!has(outputs, "P")) return {};
    const double surprise = surprise_at_answers(by_name(outputs, "P"));
    // The probability 1 may be a rounding error more.
    if (!std::isfinite(surprise) || surprise < -1e-4)
        return {"Your training does not end at a probability for each answer."};
    return {fmt::format(
        "The answer is the last word of each sentence. Your model's mean surprise at it is {:.4f} nats. With "
        "attention {:.0f} can be reached; a model without attention stays at ln 2 = {:.4f}. So {}.",
        surprise, least_for_answers(data::Known::everything),
        least_for_answers(data::Known::last_word_and_place), meaning_of_answers(surprise))};
}

/// The mean surprise at the answers of a model for each sentence.
template <class ModelOf>
double mean_surprise_of(const ModelOf& model_of, bool alone) {
    const std::vector<std::vector<int>>& sentences = recall_world().sentences;
    double sum = 0;
    for (std::size_t b = 0; b < sentences.size(); ++b)
        sum -= std::log(model_of(static_cast<int>(b)).probability(kQuery, sentences[b].back(), alone));
    return sum / static_cast<double>(sentences.size());
}

/// How much the query of head h looks at the two words of its pair.
double weight_of_pair(const Array& A, int h, int key) {
    return A.view<double, 3>()(h, kQuery, key) + A.view<double, 3>()(h, kQuery, key + 1);
}

/// What it means if the answers cost `usual` nats, and `other` nats with less attention.
const char* meaning_of_attention(double usual, double other) {
    const double half = least_for_answers(data::Known::last_word_and_place) / 2;
    if (usual > half) return "the model has not learned to recall";
    if (other > half) return "the attention finds the answer";
    return "the model finds the answer without choosing where to look";
}

std::optional<Drawing> attention_of_recall(const Arrays& inputs, const Arrays& outputs) {
    if (!has(outputs, "theta_new")) return std::nullopt;
    const Array& theta = by_name(outputs, "theta_new");
    const auto model_of = [&](int b) { return TrainedModel(inputs, theta, b); };
    const auto equal_of = [&](int b) { return model_of(b).with_equal_attention(); };
    const std::vector<int>& sentence = recall_world().sentences.front();
    std::vector<int> read = {0};
    read.insert(read.end(), sentence.begin(), sentence.end() - 1);
    const auto key = static_cast<int>(std::ranges::find(read, read.back()) - read.begin());
    const TrainedModel model = model_of(0);
    const Array A = model.attention(model.blocks() - 1, kQuery + 1);
    const double usual = mean_surprise_of(model_of, false), alone = mean_surprise_of(model_of, true),
                 equal = mean_surprise_of(equal_of, false);
    if (!all_finite(A) || !std::isfinite(usual) || !std::isfinite(alone) || !std::isfinite(equal))
        return std::nullopt;
    int head = 0;
    for (int h = 1; h < A.shape[0]; ++h)
        if (weight_of_pair(A, h, key) > weight_of_pair(A, head, key)) head = h;
    Drawing drawn;
    drawn.matrices = with_three_digits(permuted(A, 0, {head}));
    drawn.letters = {"H", "N", "N"};
    for (const int word : read) drawn.words.push_back(recall_world().words[static_cast<std::size_t>(word)]);
    drawn.sentences = {
        fmt::format(
            "Which word looked at which: the weights of attention of head {} in the last block. Each row is "
            "a "
            "word that the model has just read, each column a word that it looks at. The reference's plain "
            "loops computed them from the weights that your training ended with.",
            head),
        fmt::format(
            "Look at the last row, the query {}. Its pair, {} and {}, stands at the places {} and {}. Of all "
            "heads of this block, this one looks most at it, with the weight {:.2f}.",
            word_of(read.back()), word_of(read.back()), word_of(sentence.back()), key, key + 1,
            weight_of_pair(A, head, key)),
        fmt::format(
            "The mean surprise at the answers is {:.4f} nats. If each query saw only itself, it would be "
            "{:.4f}, and if every word looked at all words before it alike, {:.4f}: {}.",
            usual, alone, equal, meaning_of_attention(usual, std::min(alone, equal)))};
    return drawn;
}

}  // namespace

const data::Recall& recall_world() {
    static const data::Recall kWorld = data::recall(kRecallPairs);
    return kWorld;
}

Scene scene_of_recall() {
    const data::Recall& world = recall_world();
    Scene scene{{{"V", {world.words}}}};
    for (const std::vector<int>& sentence : world.sentences) {
        std::vector<std::string>& read = scene.words["N"].emplace_back(std::vector<std::string>{"START"});
        for (std::size_t i = 0; i + 1 < sentence.size(); ++i)
            read.push_back(world.words[static_cast<std::size_t>(sentence[i])]);
    }
    const auto level = [&](data::Known known, const char* text) {
        const double loss = data::least_surprise(world.sentences, known);
        return std::pair{loss, fmt::format("{:.4f}: {}", loss, text)};
    };
    scene.curves["losses"] = {{level(data::Known::last_word_and_place, "without attention"),
                               level(data::Known::words_before, "not which value belongs to which key"),
                               level(data::Known::everything, "the least possible")},
                              sentences_of_recall};
    return scene;
}

std::vector<DrawingRecipe> drawings_of_recall() {
    return {{"A", attention_of_recall}};
}

}  // namespace attn::ask::training
