// The show of assignment 11: a language model writes the sentences of a lecture.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "grader/ask/inputs.h"
#include "grader/ask/laws.h"
#include "grader/ask/three_sentences.h"
#include "grader/models/shows.h"

namespace attn::trained {
namespace {

using Tokens = std::vector<std::int32_t>;

/// How many tokens generate may draw from, and the probability that sample_top_p keeps.
constexpr int kKept = 3;
constexpr double kProbability = 0.99;

constexpr int kStartWord = 0, kEndWord = 1, kHeads = 2;

/// The words before EOS. A wrong function may write numbers that are no words.
std::string written_words(const Tokens& tokens) {
    std::string text;
    for (const std::int32_t token : tokens) {
        if (token == kEndWord) break;
        const bool is_word = token >= 0 && token < static_cast<int>(ask::three_sentences().words.size());
        text += (text.empty() ? "" : " ") +
                (is_word ? ask::three_sentences().words[static_cast<std::size_t>(token)] : "?");
    }
    return text;
}

/// The functions of assignment 11 at work on three texts at a time.
class Writer {
  public:
    Writer(StudentOrReference& f, const Weights& weights)
        : f_(f), table_(weights("table")), positions_(weights("P")), encoder_(weights.encoder()) {}

    /// What generate writes after START.
    std::vector<Tokens> generated() {
        const int N_new = positions_.shape.at(0) - 1;
        Arrays inputs = {Array("prompt", {kTexts, 1}, Tokens(kTexts, kStartWord)),
                         table_,
                         positions_,
                         uniforms({kTexts, N_new}),
                         ask::option("k", kKept),
                         ask::option("H", kHeads)};
        inputs.insert(inputs.end(), encoder_.begin(), encoder_.end());
        const Array tokens = f_("generate", inputs).at(0);
        std::vector<Tokens> texts;
        for (int b = 0; b < kTexts; ++b) {
            const auto first = tokens.as<std::int32_t>().begin() + std::ptrdiff_t{b} * N_new;
            texts.emplace_back(first, first + N_new);
        }
        return texts;
    }

    /// The same, with the whole model for every token, which sample_top_p draws.
    std::vector<Tokens> drawn() {
        std::vector<Tokens> texts(kTexts, {kStartWord});
        for (int N = 1; N < positions_.shape.at(0); ++N) {
            const Array P = next_probabilities(texts);
            const Tokens next =
                f_("sample_top_p", {P, uniforms({kTexts}), ask::option("p", kProbability)}, {"tokens"})
                    .at(0)
                    .as<std::int32_t>();
            for (std::size_t b = 0; b < texts.size(); ++b)
                texts[b].push_back(std::clamp(next[b], 0, table_.shape[0] - 1));
        }
        for (Tokens& text : texts) text.erase(text.begin());
        return texts;
    }

    /// Words that are drawn independently: word i from the mean of the probabilities that the model gives at place i of
    /// the three sentences, whatever the words before it have become.
    std::vector<Tokens> drawn_apart() {
        std::vector<Tokens> texts(kTexts);
        const int V = table_.shape[0];
        for (int i = 0; i + 1 < positions_.shape.at(0); ++i) {
            Array mean = Array::zeros<float>("P", {kTexts, V}), u = Array::zeros<float>("u", {kTexts});
            for (const std::vector<int>& sentence : ask::three_sentences().sentences) {
                Tokens read = {kStartWord};
                read.insert(read.end(), sentence.begin(),
                            sentence.begin() + std::min<std::ptrdiff_t>(i, std::ssize(sentence)));
                // A sentence that has ended has further ends.
                const bool ended = read.back() == kEndWord;
                const Array P = ended ? Array() : next_probabilities({read});
                for (int b = 0; b < kTexts; ++b)
                    for (int v = 0; v < V; ++v)
                        mean.view<float, 2>()(b, v) += (ended ? (v == kEndWord ? 1.0F : 0.0F)
                                                              : P.as<float>()[static_cast<std::size_t>(v)]) /
                                                       kTexts;
            }
            // Every text takes another of three equally probable words, at each place another one than before.
            for (int b = 0; b < kTexts; ++b)
                u.as<float>()[static_cast<std::size_t>(b)] =
                    (static_cast<float>((b + i) % kTexts) + 0.5F) / kTexts;
            const Array next =
                f_("sample_top_p", {mean, u, ask::option("p", kProbability)}, {"tokens"}).at(0);
            for (std::size_t b = 0; b < texts.size(); ++b) texts[b].push_back(next.as<std::int32_t>()[b]);
        }
        return texts;
    }

    /// The probabilities of the word after texts of equal length: P [B, V].
    Array next_probabilities(const std::vector<Tokens>& texts) {
        return reshaped(f_("next_token_probabilities", {logits(texts)}).at(0),
                        {static_cast<int>(texts.size()), table_.shape[0]}, "P");
    }

    /// Of the three sentences.
    float perplexity() {
        std::vector<Tokens> sentences;
        for (const std::vector<int>& sentence : ask::three_sentences().sentences) {
            Tokens& targets = sentences.emplace_back(sentence.begin(), sentence.end());
            targets.resize(static_cast<std::size_t>(positions_.shape.at(0)), -1);
        }
        const Array targets = array_of("targets", sentences);
        const Array read = f_("shift_right", {targets, ask::option("start", kStartWord)}).at(0);
        const Array ppl =
            f_("perplexity", {logits_of(reshaped(read, targets.shape, "tokens")), targets}).at(0);
        return ppl.as<float>().at(0);
    }

  private:
    static constexpr int kTexts = 3;

    static Array array_of(const std::string& name, const std::vector<Tokens>& texts) {
        Tokens all;
        for (const Tokens& text : texts) all.insert(all.end(), text.begin(), text.end());
        return Array(name, {static_cast<int>(texts.size()), static_cast<int>(texts[0].size())}, all);
    }

    /// A third of the chance for each text, so that each takes another of three equally probable words.
    static Array uniforms(const Shape& shape) {
        Array u = Array::zeros<float>("u", shape);
        const std::size_t columns = u.count() / kTexts;
        for (std::size_t k = 0; k < u.count(); ++k) {
            const std::size_t row = k / columns;
            u.as<float>()[k] = (static_cast<float>(row) + 0.5F) / kTexts;
        }
        return u;
    }

    Array logits(const std::vector<Tokens>& texts) { return logits_of(array_of("tokens", texts)); }

    Array logits_of(const Array& tokens) {
        Arrays inputs = {tokens, table_, ask::leading(positions_, 0, tokens.shape.at(1)),
                         ask::option("H", kHeads)};
        inputs.insert(inputs.end(), encoder_.begin(), encoder_.end());
        return f_("language_model", inputs).at(0);
    }

    StudentOrReference& f_;
    Array table_, positions_;
    Arrays encoder_;
};

std::vector<std::string> texts_of(const std::vector<Tokens>& all) {
    std::vector<std::string> texts;
    for (const Tokens& tokens : all) texts.push_back(written_words(tokens));
    return texts;
}

std::vector<std::string> the_sentences() {
    std::vector<std::string> texts;
    for (const std::vector<int>& sentence : ask::three_sentences().sentences)
        texts.push_back(written_words({sentence.begin(), sentence.end()}));
    return texts;
}

/// How many of the sentences are among these texts.
int count_written(const std::vector<std::string>& texts) {
    int count = 0;
    for (const std::string& sentence : the_sentences())
        count += std::find(texts.begin(), texts.end(), sentence) != texts.end();
    return count;
}

Section written_texts(const std::string& title, const std::string& text,
                      const std::vector<std::string>& written) {
    const std::vector<std::string> known = the_sentences();
    Section section{title, {text}};
    for (const std::string& each : written) {
        const bool is_right = std::find(known.begin(), known.end(), each) != known.end();
        section.samples.push_back({"START", " " + each, is_right ? "" : "none of the sentences", is_right});
    }
    return section;
}

}  // namespace

ModelPage show_language_model(const Shown& shown) {
    Writer writer(shown.yours, shown.weights), right(shown.reference, shown.weights);
    const std::vector<std::string> generated = texts_of(writer.generated()), drawn = texts_of(writer.drawn());
    const float perplexity = writer.perplexity();

    // After START, START I and START I like.
    Section bars{
        "Which word comes next",
        {"The probabilities that language_model and next_token_probabilities give to the next word. The "
         "three sentences begin with the same word; after it, each goes on in its own way."}};
    const std::vector<int>& sentence = ask::three_sentences().sentences.at(1);
    for (int count = 0; count < 3; ++count) {
        Tokens read = {kStartWord};
        read.insert(read.end(), sentence.begin(), sentence.begin() + count);
        const Array P = writer.next_probabilities({read});
        const std::string more = written_words({read.begin() + 1, read.end()});
        bars.bars.push_back({"START" + (more.empty() ? "" : " " + more), ask::three_sentences().words,
                             std::vector<double>(P.as<float>().begin(), P.as<float>().end())});
    }

    ModelPage page = page_about(
        shown, "Assignment 11: your language model writes sentences", "generate",
        fmt::format(
            "{} generate writes {} of 3 sentences. At each place the model hesitates between {:.2f} words "
            "(its perplexity).",
            whose(shown, "generate"), count_written(generated), perplexity),
        [&] {
            return fmt::format("write {} and hesitate between {:.2f}",
                               count_written(texts_of(right.generated())), right.perplexity());
        });
    page.sections = {
        written_texts(
            "What generate writes",
            "Three texts from START on, each with another chance u, drawn among the 3 most probable words.",
            generated),
        written_texts(
            "The same with each word drawn on its own",
            "Each word is drawn from the mean of the probabilities that the model gives at this place of "
            "the three sentences, whatever the words before it have become. Every probability may be "
            "right, and still the words do not belong together. So generate reads what it has written.",
            texts_of(writer.drawn_apart())),
        bars,
        written_texts("The same without a cache",
                      "For every word the whole model reads the text again, and sample_top_p draws the word.",
                      drawn)};
    return page;
}

}  // namespace attn::trained
