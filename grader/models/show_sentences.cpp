// The shows of assignments 4 and 5: a language model completes the three sentences of a lecture.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "grader/ask/three_sentences.h"
#include "grader/models/shows.h"
#include "grader/models/student_modules.h"
#include "reference/models/language.h"

namespace attn::trained {
namespace {

using Words = std::vector<int>;
using From = LayerChoice::From;

constexpr int kSentenceStart = 0, kSentenceEnd = 1, kSentenceHeads = 2;

/// The language model with blocks made of these functions.
class SentenceModel {
  public:
    SentenceModel(StudentOrReference& f, const Weights& weights, From from)
        : f_(f),
          model_(layout_, weights("table").shape.at(0), weights("P").shape.at(0),
                 weights.stack_sizes(kSentenceHeads)),
          theta_(weights.numbers(layout_)),
          modules_(student_modules(f, training::plain_modules(), {.from = from})) {
        const int N = model_.reach();
        mask_ = reshaped(f("causal_mask", {ask::option("N_q", N), ask::option("N_k", N)}).at(0), {1, N, N},
                         "mask");
    }

    /// What it writes after START and these words, up to EOS or the last position.
    Words completed(Words words) {
        while (static_cast<int>(words.size()) + 1 < model_.reach()) {
            const int next = training::largest(logits(words)[0][static_cast<int>(words.size())]);
            if (next == kSentenceEnd) break;
            words.push_back(next);
        }
        return words;
    }

    /// The mean surprise at the words of the three sentences, in nats.
    double loss() {
        const auto plain = training::plain_modules();
        double sum = 0, count = 0;
        for (const Words& sentence : ask::three_sentences().sentences) {
            const auto words = static_cast<double>(sentence.size());
            Words targets = sentence;
            targets.resize(static_cast<std::size_t>(model_.reach()), -1);
            sum += words * double{plain->cross_entropy(logits({sentence.begin(), sentence.end() - 1}),
                                                       {targets.data(), 1, model_.reach()}, 0)};
            count += words;
        }
        return sum / count;
    }

    /// The weights of attention in the last block for START and these words: [1, H, N, N] of all positions.
    Array attention(const Words& words) {
        logits(words);
        const int last = model_.stack().sizes().L - 1;
        return attention_weights(
            f_, *modules_, model_.stack().input(last),
            training::block_weights(layout_, theta_.data(), training::block_prefix(last)), mask(),
            kSentenceHeads);
    }

  private:
    training::Masks mask() const { return mask_.view<std::uint8_t, 3>(); }

    /// [1, N, V]. The model always reads as many tokens as it has positions; after START and the words stand more
    /// STARTs, which the mask hides.
    training::Read3 logits(const Words& words) {
        Words tokens = {kSentenceStart};
        tokens.insert(tokens.end(), words.begin(), words.end());
        tokens.resize(static_cast<std::size_t>(model_.reach()), kSentenceStart);
        return model_.logits(*modules_, layout_, theta_.data(), {tokens.data(), 1, model_.reach()}, mask());
    }

    StudentOrReference& f_;
    training::Layout layout_;
    training::LanguageModel model_;
    training::Numbers theta_;
    std::unique_ptr<training::Modules> modules_;
    Array mask_;
};

std::vector<std::string> names_of(const Words& words) {
    std::vector<std::string> names;
    for (const int word : words)
        names.push_back(ask::three_sentences().words.at(static_cast<std::size_t>(word)));
    return names;
}

/// The first two words decide which sentence it is.
constexpr std::size_t kGivenWords = 2;

ModelPage page_of_sentences(const Shown& shown, const std::string& title, const std::string& function,
                            From from) {
    SentenceModel model(shown.yours, shown.weights, from);
    Section samples{"What it writes", {"The first two words are given."}};
    Section maps{"Which word looked at which",
                 {"The weights of attention in the last block, one picture for each head. Row by row: the "
                  "word that asks. "
                  "No word may look at a later one, so the upper right stays dark."}};
    int whole = 0;
    for (const Words& sentence : ask::three_sentences().sentences) {
        const Words words(sentence.begin(), sentence.end() - 1);
        const Words given(words.begin(), words.begin() + kGivenWords);
        const Words written = model.completed(given);
        const auto text_of = [](const Words& some) {
            return fmt::format("{}", fmt::join(names_of(some), " "));
        };
        whole += written == words;
        samples.samples.push_back(
            {text_of(given), " " + text_of({written.begin() + kGivenWords, written.end()}),
             written == words ? "" : "the sentence is: " + text_of(words), written == words});
        const Array A = model.attention(words);
        std::vector<std::string> names = names_of(words);
        names.insert(names.begin(), "START");
        for (int h = 0; h < kSentenceHeads; ++h) {
            WeightMap& map = maps.maps.emplace_back(
                WeightMap{fmt::format("{} ..: head {}", text_of(given), h), names, names, {}});
            for (int i = 0; i < static_cast<int>(names.size()); ++i) {
                const float* const row = A.view<float, 4>()[0][h][i].data();
                map.weights.insert(map.weights.end(), row, row + names.size());
            }
        }
    }
    ModelPage page = page_about(
        shown, title, function,
        shown.yours.is_students(function)
            ? fmt::format(
                  "With your {}, it completes {} of 3 sentences. Its loss is {:.4f} nats; no model can come "
                  "below {:.4f} without seeing the future.",
                  function, whole, model.loss(), ask::three_sentences().floor())
            : fmt::format("The reference's {} completes {} of 3 sentences.", function, whole),
        [&] {
            return fmt::format("have {:.4f}", SentenceModel(shown.reference, shown.weights, from).loss());
        });
    page.sections = {samples, maps};
    return page;
}

}  // namespace

ModelPage show_masking(const Shown& shown) {
    return page_of_sentences(shown, "Assignment 4: your masked attention completes sentences",
                             "masked_attention", From::attention);
}

ModelPage show_transformer_block(const Shown& shown) {
    return page_of_sentences(shown, "Assignment 5: your transformer block completes sentences",
                             "transformer_block", From::block);
}

}  // namespace attn::trained
