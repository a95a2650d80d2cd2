// The show of assignment 10: a transformer translates dates, character by character.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "datasets/alphabet.h"
#include "datasets/dates.h"
#include "grader/ask/inputs.h"
#include "grader/models/shows.h"
#include "reference/models/stack.h"

namespace attn::trained {
namespace {

using DatePairs = std::vector<data::WrittenDate>;
using Sentence = std::vector<std::int32_t>;

constexpr int kTransformerHeads = 4, kStart = 0, kEnd = 1, kFirstCharacter = 2;
constexpr double kPreNorm = 0, kGelu = 1;

const data::Alphabet& alphabet() {
    static const data::Alphabet all(data::kDateCharacters);
    return all;
}

Sentence word_numbers(const std::string& text) {
    Sentence words = alphabet().numbers(text);
    for (std::int32_t& word : words) word += kFirstCharacter;
    return words;
}

/// A word as it is drawn. A wrong function may say numbers that are no words.
std::string drawn_word(std::int32_t word) {
    if (word == kStart) return "START";
    if (word == kEnd) return "END";
    if (word < 0 || word >= kFirstCharacter + alphabet().size()) return "?";
    return letters_of(alphabet().text({word - kFirstCharacter})).at(0);
}

/// What was said before the end.
std::string translated_text(const Sentence& words) {
    std::string text;
    for (const std::int32_t word : words) {
        if (word == kEnd) break;
        text += drawn_word(word);
    }
    return text;
}

std::vector<Sentence> sentence_rows(const Array& words) {
    std::vector<Sentence> rows;
    const auto length = static_cast<std::ptrdiff_t>(words.shape.at(1));
    for (auto first = words.as<std::int32_t>().begin(); first != words.as<std::int32_t>().end();
         first += length)
        rows.emplace_back(first, first + length);
    return rows;
}

/// Words [B, N], with END after those of a short sentence.
Array padded_words(const std::string& name, const std::vector<Sentence>& sentences) {
    std::size_t longest = 0;
    for (const Sentence& sentence : sentences) longest = std::max(longest, sentence.size());
    Sentence all;
    for (const Sentence& sentence : sentences) {
        all.insert(all.end(), sentence.begin(), sentence.end());
        all.resize(all.size() + longest - sentence.size(), kEnd);
    }
    return Array(name, {static_cast<int>(sentences.size()), static_cast<int>(longest)}, all);
}

Arrays block_options() {
    return {ask::option("H", kTransformerHeads), ask::option("norm", kPreNorm),
            ask::option("activation", kGelu)};
}

Arrays operator+(Arrays first, const Arrays& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

Array only(const Arrays& outputs) {
    return outputs.at(0);
}

Array plus(Array a, const Array& b) {
    for (std::size_t k = 0; k < a.count(); ++k) a.as<float>()[k] += b.as<float>().at(k);
    return a;
}

class DateTransformer {
  public:
    DateTransformer(StudentOrReference& f, const Weights& weights, const DatePairs& dates)
        : f_(f), weights_(weights), embedding_(weights("embedding")), length_(dates.at(0).iso.size() + 1) {
        Sentence lengths;
        for (const data::WrittenDate& date : dates) {
            sources_.push_back(word_numbers(date.written));
            lengths.push_back(static_cast<std::int32_t>(sources_.back().size()));
        }
        of_both_ = Arrays{padded_words("source", sources_), embedding_,
                          Array("lengths", {static_cast<int>(dates.size())}, lengths)} +
                   weights.encoder() + weights.decoder() + block_options();
    }

    /// What translate_greedy says.
    std::vector<Sentence> translated() {
        const auto N_t = static_cast<int>(length_);
        const Arrays outputs = f_("translate_greedy", of_both_ + Arrays{ask::option("N_t", N_t)}, {"words"});
        return sentence_rows(ask::by_name(outputs, "words"));
    }

    /// Lets transformer read these translations.
    void read(const std::vector<Sentence>& translations) {
        f_("transformer", of_both_ + Arrays{padded_words("target", translations)});
    }

    /// One date and its translation, put together from functions that are smaller than transformer.
    struct Pass {
        Array A;        ///< [1, H, N_t, N_s]: of the cross-attention in the last block
        Sentence said;  ///< the most probable word of each place
    };
    Pass pass(std::size_t k, Sentence translation) {
        const Array S = only(
            f_("transformer_encoder", Arrays{entered(sources_[k])} + weights_.encoder() + block_options()));
        translation.insert(translation.begin(), kStart);
        translation.pop_back();
        Array Z = entered(translation);
        const int last = weights_.decoder_blocks() - 1;
        for (int l = 0; l < last; ++l)
            Z = reshaped(only(f_("decoder_block", Arrays{Z, reshaped(S, S.shape, "S")} +
                                                      weights_.decoder_block(l) + block_options())),
                         Z.shape, "X");
        return last_block(Z, S, weights_.decoder_block(last));
    }

  private:
    /// sqrt(D) embedding[word] + P[place]: X [1, N, D]
    Array entered(const Sentence& words) {
        const int N = static_cast<int>(words.size()), D = embedding_.shape.at(1);
        const Array P = only(f_("sinusoidal_positions", {ask::option("N", N), ask::option("D", D)}));
        Array X = Array::zeros<float>("X", {1, N, D});
        for (int i = 0; i < N; ++i)
            for (int d = 0; d < D; ++d)
                X.view<float, 3>()(0, i, d) =
                    std::sqrt(static_cast<float>(D)) *
                        embedding_.view<float, 2>()(words[static_cast<std::size_t>(i)], d) +
                    P.view<float, 2>()(i, d);
        return X;
    }

    /// The last block, step by step, because decoder_block does not hand out the weights of its attention.
    Pass last_block(const Array& X, const Array& S, const Arrays& weights) {
        const auto norm = [&](const Array& of, const std::string& number) {
            return normed(of, ask::by_name(weights, "gamma_" + number),
                          ask::by_name(weights, "beta_" + number));
        };
        const auto attention = [&](const std::string& ending) {
            Arrays all = {ask::option("H", kTransformerHeads)};
            for (const std::string name : {"W_Q", "b_Q", "W_K", "b_K", "W_V", "b_V", "W_O", "b_O"})
                all.push_back(ask::by_name(weights, name + ending)), all.back().name = name;
            return all;
        };
        const int N = X.shape[1], D = X.shape[2];
        const Array N_1 = norm(X, "1");
        const Array mask = only(f_("causal_mask", {ask::option("N_q", N), ask::option("N_k", N)}));
        const Array Z_1 = plus(X, only(f_("multi_head_attention", Arrays{reshaped(N_1, X.shape, "X_q"),
                                                                         reshaped(N_1, X.shape, "X_kv"),
                                                                         reshaped(mask, {1, N, N}, "mask")} +
                                                                      attention(""))));
        const Arrays crossed =
            f_("cross_attention", Arrays{norm(Z_1, "2"), reshaped(S, S.shape, "S")} + attention("_c"));
        const Array Z_2 = plus(Z_1, ask::by_name(crossed, "Y"));
        Arrays inputs = {reshaped(norm(Z_2, "3"), {N, D}, "X"), ask::option("activation", kGelu)};
        for (const char* const name : {"W_1", "b_1", "W_2", "b_2"})
            inputs.push_back(ask::by_name(weights, name));
        const Array Z = plus(Z_2, only(f_("feed_forward", inputs)));
        return {ask::by_name(crossed, "A"), words_of(normed(Z, weights_("gamma_d"), weights_("beta_d")))};
    }

    /// The layer norm of Z [1, N, D] by row.
    Array normed(const Array& Z, const Array& gamma, const Array& beta) {
        const int N = Z.shape[1], D = Z.shape[2];
        return reshaped(f_("layer_norm", {reshaped(Z, {N, D}, "X"), reshaped(gamma, {D}, "gamma"),
                                          reshaped(beta, {D}, "beta")})
                            .at(0),
                        Z.shape, "X");
    }

    /// The most probable word of each place: Z [1, N, D] times the embedding.
    Sentence words_of(const Array& Z) const {
        const int N = Z.shape[1], V = embedding_.shape[0];
        training::Tensor<2> logits;
        training::plain_modules()->score_words(logits.shaped(N, V), training::rows_of(Z.view<float, 3>()),
                                               embedding_.view<float, 2>());
        Sentence words;
        for (int i = 0; i < N; ++i) words.push_back(training::largest(logits.view()[i]));
        return words;
    }

    StudentOrReference& f_;
    const Weights& weights_;
    Array embedding_;
    std::size_t length_;
    std::vector<Sentence> sources_;
    Arrays of_both_;  ///< what transformer and translate_greedy have in common
};

std::vector<std::string> drawn_words(const Sentence& words) {
    std::vector<std::string> all;
    for (const std::int32_t word : words) all.push_back(drawn_word(word));
    return all;
}

int count_right_dates(const std::vector<Sentence>& said, const DatePairs& dates) {
    int right = 0;
    for (std::size_t k = 0; k < dates.size(); ++k) right += translated_text(said[k]) == dates[k].iso;
    return right;
}

}  // namespace

ModelPage show_encoder_decoder(const Shown& shown) {
    constexpr std::size_t kDates = 40, kDrawn = 4, kListed = 10;
    DatePairs dates = data::dates_to_translate(1).held_out;
    dates.resize(kDates);
    DateTransformer model(shown.yours, shown.weights, dates),
        right_model(shown.reference, shown.weights, dates);
    const std::vector<Sentence> said = model.translated(), expected = right_model.translated();
    model.read(expected);  // nothing else calls transformer, which is checked by this

    Section maps{
        "Which character it looked at",
        {"Each row is a character that the decoder says, each column one that the encoder has read: the "
         "weights A of the cross-attention in the last block, the mean of the heads. The decoder says "
         "the year first, which a person writes last: so it looks at the end first."}};
    for (std::size_t k = 0; k < kDrawn; ++k) {
        const DateTransformer::Pass pass = model.pass(k, expected[k]);
        maps.maps.push_back({dates[k].written + " \u2192 " + translated_text(pass.said),
                             drawn_words(pass.said), drawn_words(word_numbers(dates[k].written)),
                             mean_over_heads(pass.A)});
    }

    ModelPage page = page_about(
        shown, "Assignment 10: your transformer translates dates", "translate_greedy",
        fmt::format("{} translate_greedy translates {} of {} dates that it has never seen.",
                    whose(shown, "translate_greedy"), count_right_dates(said, dates), dates.size()),
        [&] { return fmt::format("translate {}", count_right_dates(expected, dates)); });
    Section samples{"What it says", {}};
    for (std::size_t k = 0; k < kListed; ++k) {
        const std::string text = translated_text(said[k]);
        const bool is_right = text == dates[k].iso;
        samples.samples.push_back(
            {dates[k].written, " \u2192 " + text, is_right ? "" : dates[k].iso + " is right", is_right});
    }
    page.sections = {maps, samples};
    return page;
}

}  // namespace attn::trained
