// The shows of assignments 4 and 5: a language model completes the three sentences of a lecture.

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "grader/training/sentence_model.h"
#include "grader/training/shows.h"

namespace attn::trained {
namespace {

std::string text_of(const std::vector<int>& words) {
    std::string text;
    for (const int word : words)
        text += (text.empty() ? "" : " ") + sentence_world().words[static_cast<std::size_t>(word)];
    return text;
}

/// The first two words decide which sentence it is.
constexpr std::size_t kGivenWords = 2;

ModelPage page_of_sentences(const std::string& title, const std::string& function, From from,
                            const Weights& weights, Functions& yours, Functions& reference) {
    SentenceModel model(yours, weights, from);
    ModelPage page;
    page.title = title;
    Section samples{"What it writes", {"The first two words are given."}};
    Section maps{"Which word looked at which",
                 {"The weights of attention in the last block, one picture for each head. Row by row: the "
                  "word that asks. "
                  "No word may look at a later one, so the upper right stays dark."}};
    int whole = 0;
    for (const std::vector<int>& sentence : sentence_world().sentences) {
        const std::vector<int> words(sentence.begin(), sentence.end() - 1);
        const std::vector<int> given(words.begin(), words.begin() + kGivenWords);
        const std::vector<int> written = model.completed(given);
        whole += written == words;
        samples.samples.push_back(
            {text_of(given), " " + text_of({written.begin() + kGivenWords, written.end()}),
             written == words ? "" : "the sentence is: " + text_of(words), written == words});
        const Array A = model.attention(words);
        std::vector<std::string> names = {"START"};
        for (const int word : words) names.push_back(sentence_world().words[static_cast<std::size_t>(word)]);
        const std::size_t size = names.size() * names.size();
        for (int h = 0; h < A.shape[0]; ++h) {
            const auto first = A.as<float>().begin() + static_cast<std::ptrdiff_t>(size) * h;
            maps.maps.push_back({fmt::format("{} ..: head {}", text_of(given), h), names, names,
                                 std::vector<double>(first, first + static_cast<std::ptrdiff_t>(size))});
        }
    }
    const double loss = model.loss();
    // A sentence's second word is one of three, whatever came before: 3 ln 3 nats for the 19 words and ends.
    const double floor = 3 * std::log(3.0) / 19;
    page.good = yours.is_students(function);
    page.verdict =
        yours.is_students(function)
            ? fmt::format(
                  "With your {}, it completes {} of 3 sentences. Its loss is {:.4f} nats; no model can come "
                  "below {:.4f} without seeing the future.",
                  function, whole, loss, floor)
            : fmt::format("The reference's {} completes {} of 3 sentences. Yours: see the table below.",
                          function, whole);
    if (yours.first_wrong() != nullptr)
        page.verdict += fmt::format(" With the same weights, the reference's functions have {:.4f}.",
                                    SentenceModel(reference, weights, from).loss());
    page.sections = {samples, maps};
    return page;
}

}  // namespace

ModelPage show_masking(const Weights& weights, Functions& yours, Functions& reference) {
    return page_of_sentences("Assignment 4: your masked attention completes sentences", "masked_attention",
                             From::masked_attention, weights, yours, reference);
}

ModelPage show_transformer_block(const Weights& weights, Functions& yours, Functions& reference) {
    return page_of_sentences("Assignment 5: your transformer block completes sentences", "transformer_block",
                             From::block, weights, yours, reference);
}

}  // namespace attn::trained
