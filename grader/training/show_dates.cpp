// The shows of assignments 1 and 7: a recurrent network translates dates, character by character, with
// attention and without.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "datasets/alphabet.h"
#include "datasets/dates.h"
#include "grader/ask/inputs.h"
#include "grader/training/forward.h"
#include "grader/training/shows.h"

namespace attn::trained {
namespace {

using Dates = std::vector<data::WrittenDate>;

struct Translated {
    std::vector<std::string> said;
    std::vector<Array> alignments;  ///< [L, T] of each date, with attention
};

class DateTranslator {
  public:
    DateTranslator(Functions& f, const Weights& weights, bool attention)
        : f_(f), weights_(weights), attention_(attention) {}

    /// Each step says the most probable character, and the next step reads it.
    Translated translated(const Dates& dates) {
        const Arrays source = encoded(dates);
        const int B = static_cast<int>(dates.size()), D_y = weights_("target_table").shape.at(1);
        const int length = static_cast<int>(dates.at(0).iso.size());
        std::vector<std::vector<std::int32_t>> said(dates.size());
        Arrays outputs;
        for (int L = 1; L <= length; ++L) {
            Array y = Array::zeros<float>("y", {B, L + 1, D_y});
            for (int b = 0; b < B; ++b)
                for (int t = 0; t <= L; ++t)
                    look_up(y, b, t, "target_table",
                            t > 0 && t < L ? said[std::size_t(b)][std::size_t(t - 1)] : iso_.size());
            Arrays inputs = source;
            inputs.push_back(y);
            inputs.push_back(ask::option("L", L));
            for (const char* const name : {"W_x", "W_s", "b", "W_0", "b_0"})
                inputs.push_back(weights_(std::string("decoder.") + name, name));
            for (const char* const name : {"W_q", "W_k", "v"})
                if (attention_) inputs.push_back(weights_(std::string("decoder.") + name, name));
            outputs = f_(attention_ ? "decode" : "decode_without_attention", inputs);
            const Array logits = linear(ask::by_name(outputs, "S"), weights_("W_out"), weights_("b_out"));
            const std::vector<int> best = largest(logits);
            for (int b = 0; b < B; ++b) said[std::size_t(b)].push_back(best[std::size_t((b + 1) * L - 1)]);
        }
        Translated result;
        for (const std::vector<std::int32_t>& letters : said) result.said.push_back(iso_.text(letters));
        if (!attention_) return result;
        const auto A = ask::by_name(outputs, "A").view<float, 3>();
        for (int b = 0; b < B; ++b) {
            const int T = static_cast<int>(dates[std::size_t(b)].written.size());
            Array& alignment = result.alignments.emplace_back(Array::zeros<float>("A", {length, T}));
            for (int t = 0; t < length; ++t)
                for (int j = 0; j < T; ++j) alignment.view<float, 2>()(t, j) = A(b, t, j);
        }
        return result;
    }

  private:
    /// What the decoder gets of the source: all states and a mask of the characters that there are, or the
    /// last state.
    Arrays encoded(const Dates& dates) {
        std::size_t longest = 0;
        for (const data::WrittenDate& date : dates) longest = std::max(longest, date.written.size());
        const int B = static_cast<int>(dates.size()), T = static_cast<int>(longest);
        Array X = Array::zeros<float>("X", {B, T, weights_("source_table").shape.at(1)});
        Array lengths = Array::zeros<std::int32_t>("lengths", {B}),
              mask = Array::zeros<std::uint8_t>("mask", {B, T});
        for (int b = 0; b < B; ++b) {
            const std::vector<std::int32_t> letters = written_.numbers(dates[std::size_t(b)].written);
            lengths.as<std::int32_t>()[std::size_t(b)] = static_cast<std::int32_t>(letters.size());
            for (std::size_t j = 0; j < letters.size(); ++j) {
                look_up(X, b, static_cast<int>(j), "source_table", letters[j]);
                mask.view<std::uint8_t, 2>()(b, static_cast<int>(j)) = 1;
            }
        }
        const Arrays outputs = f_("encode", {X, lengths, weights_("encoder.W_x", "W_x"),
                                             weights_("encoder.W_h", "W_h"), weights_("encoder.b", "b")});
        const Array& H = ask::by_name(outputs, "H");
        if (attention_) return {reshaped(H, H.shape, "h"), mask};
        return {reshaped(ask::by_name(outputs, "last"), {B, H.shape[2]}, "h_last")};
    }

    void look_up(Array& X, int b, int i, const char* table_name, int row) const {
        const Array table = weights_(table_name);
        for (int d = 0; d < table.shape[1]; ++d) X.view<float, 3>()(b, i, d) = table.view<float, 2>()(row, d);
    }

    Functions& f_;
    const Weights& weights_;
    bool attention_;
    data::Alphabet written_{data::kWrittenCharacters}, iso_{data::kIsoCharacters};
};

std::vector<std::string> letters_of(const std::string& text) {
    std::vector<std::string> letters;
    for (const char c : text) letters.emplace_back(c == ' ' ? "\u2423" : std::string{c});
    return letters;
}

int count_right(const Translated& translated, const Dates& dates) {
    int right = 0;
    for (std::size_t k = 0; k < dates.size(); ++k) right += translated.said[k] == dates[k].iso;
    return right;
}

/// A hundred dates, translated by the student's functions and by the reference's, with a verdict.
struct ShownDates {
    ShownDates(const Weights& weights, Functions& yours, Functions& reference, bool attention)
        : dates(data::dates_to_translate(1).held_out) {
        constexpr std::size_t kDates = 100;
        dates.resize(kDates);
        translated = DateTranslator(yours, weights, attention).translated(dates);
        const std::string function = attention ? "decode" : "decode_without_attention";
        const bool is_yours = yours.is_students(function);
        page.good = is_yours;
        page.verdict = fmt::format("{} {} translates {} of {} dates that it has never seen.",
                                   is_yours ? "Your" : "The reference's", function,
                                   count_right(translated, dates), dates.size());
        if (!is_yours)
            page.verdict += " Yours: see the table below.";
        else if (yours.first_wrong() != nullptr)
            page.verdict += fmt::format(
                " With the same weights, the reference's functions translate {}.",
                count_right(DateTranslator(reference, weights, attention).translated(dates), dates));
        else if (!attention)
            page.verdict +=
                " So does the reference's: a decoder without attention cannot do better with these weights.";
    }

    Section samples() const {
        constexpr std::size_t kListed = 10;
        Section section{"What it says", {}};
        for (std::size_t k = 0; k < kListed; ++k) {
            const bool is_right = translated.said[k] == dates[k].iso;
            section.samples.push_back({dates[k].written, " \u2192 " + translated.said[k],
                                       is_right ? "" : dates[k].iso + " is right", is_right});
        }
        return section;
    }

    Dates dates;
    Translated translated;
    ModelPage page;
};

/// How many dates have the right character at each place.
Chart right_by_place(const ShownDates& shown) {
    Curve curve{"right characters", {}, {}};
    for (std::size_t t = 0; t < shown.dates[0].iso.size(); ++t) {
        int right = 0;
        for (std::size_t k = 0; k < shown.dates.size(); ++k)
            right += shown.translated.said[k][t] == shown.dates[k].iso[t];
        curve.x.push_back(static_cast<double>(t + 1));
        curve.y.push_back(right);
    }
    return {"Right characters", "place in the translation", "dates", {curve}, {}};
}

}  // namespace

ModelPage show_rnn_attention(const Weights& weights, Functions& yours, Functions& reference) {
    ShownDates shown(weights, yours, reference, true);
    shown.page.title = "Assignment 1: your attention translates dates";
    Section maps{"Which character it looked at",
                 {"Each row is a character that the decoder says, each column one that the encoder has read. "
                  "The decoder says the "
                  "year first, which a person writes last: so it looks at the end first."}};
    constexpr std::size_t kDrawn = 4;
    for (std::size_t k = 0; k < kDrawn; ++k) {
        const std::vector<float>& A = shown.translated.alignments[k].as<float>();
        const std::string &written = shown.dates[k].written, &said = shown.translated.said[k];
        maps.maps.push_back({written + " \u2192 " + said, letters_of(said), letters_of(written),
                             std::vector<double>(A.begin(), A.end())});
    }
    shown.page.sections = {maps, shown.samples()};
    return shown.page;
}

ModelPage show_seq2seq(const Weights& weights, Functions& yours, Functions& reference) {
    ShownDates shown(weights, yours, reference, false);
    shown.page.title = "Assignment 7: your encoder and your decoder translate dates";
    Section places{
        "The bottleneck",
        {"The decoder knows a date only by the encoder's last state, one vector for everything that was "
         "read. With attention, the same training leads to a translator of all dates: make show A=1 "
         "shows it, with your encoder."}};
    places.charts = {right_by_place(shown)};
    shown.page.sections = {places, shown.samples()};
    return shown.page;
}

}  // namespace attn::trained
