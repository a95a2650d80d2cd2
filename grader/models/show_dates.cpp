// The shows of assignments 1 and 7: a recurrent network translates dates, character by character, with
// attention and without.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "datasets/alphabet.h"
#include "datasets/dates.h"
#include "grader/models/shows.h"
#include "grader/models/student_modules.h"
#include "reference/models/translator.h"

namespace attn::trained {
namespace {

using Dates = std::vector<data::WrittenDate>;

struct Translated {
    std::vector<std::string> said;
    Array A;  ///< [B, L, T]: where each step looked
};

training::TranslatorSizes translator_sizes(const Weights& weights) {
    const Shape source = weights("source_table").shape, target = weights("target_table").shape,
                W_q = weights("decoder.W_q").shape;
    return {source.at(0), target.at(0) - 1, source.at(1), target.at(1), W_q.at(0), W_q.at(1)};
}

Translated translated(StudentOrReference& f, const Weights& weights, const Dates& dates, bool attention) {
    const data::Alphabet written(data::kWrittenCharacters), iso(data::kIsoCharacters);
    training::Layout layout;
    training::Translator translator(layout, translator_sizes(weights), attention);
    const training::Numbers theta = weights.numbers(layout);
    const auto modules = student_modules(f, training::plain_modules(), {.plain_decoder = !attention});
    std::vector<std::vector<int>> sources;
    for (const data::WrittenDate& date : dates) sources.push_back(written.numbers(date.written));
    Translated result;
    for (const std::vector<int>& letters : translator.translate(*modules, layout, theta.data(), sources,
                                                                static_cast<int>(dates.at(0).iso.size())))
        result.said.push_back(iso.text(letters));
    const training::Read3 A = translator.alignment();
    result.A =
        Array("A", {A.size(0), A.size(1), A.size(2)}, training::Numbers(A.data(), A.data() + A.count()));
    return result;
}

int count_right(const Translated& translated, const Dates& dates) {
    int right = 0;
    for (std::size_t k = 0; k < dates.size(); ++k) right += translated.said[k] == dates[k].iso;
    return right;
}

/// A hundred dates, translated by the student's functions and by the reference's, with a verdict.
struct ShownDates {
    ShownDates(const Shown& shown, const std::string& title, bool attention)
        : dates(data::dates_to_translate(1).held_out) {
        constexpr std::size_t kDates = 100;
        dates.resize(kDates);
        translation = translated(shown.yours, shown.weights, dates, attention);
        const std::string function = attention ? "decode" : "decode_without_attention";
        page = page_about(
            shown, title, function,
            fmt::format("{} {} translates {} of {} dates that it has never seen.", whose(shown, function),
                        function, count_right(translation, dates), dates.size()),
            [&] {
                return fmt::format(
                    "translate {}",
                    count_right(translated(shown.reference, shown.weights, dates, attention), dates));
            });
        if (!attention && page.good && shown.yours.first_wrong() == nullptr)
            page.verdict +=
                " So does the reference's: a decoder without attention cannot do better with these weights.";
    }

    Section samples() const {
        constexpr std::size_t kListed = 10;
        Section section{"What it says", {}};
        for (std::size_t k = 0; k < kListed; ++k) {
            const bool is_right = translation.said[k] == dates[k].iso;
            section.samples.push_back({dates[k].written, " \u2192 " + translation.said[k],
                                       is_right ? "" : dates[k].iso + " is right", is_right});
        }
        return section;
    }

    Dates dates;
    Translated translation;
    ModelPage page;
};

/// How many dates have the right character at each place.
Chart right_by_place(const ShownDates& shown) {
    Curve curve{"right characters", {}, {}};
    for (std::size_t t = 0; t < shown.dates[0].iso.size(); ++t) {
        int right = 0;
        for (std::size_t k = 0; k < shown.dates.size(); ++k)
            right += shown.translation.said[k][t] == shown.dates[k].iso[t];
        curve.x.push_back(static_cast<double>(t + 1));
        curve.y.push_back(right);
    }
    return {"Right characters", "place in the translation", "dates", {curve}, {}};
}

}  // namespace

ModelPage show_rnn_attention(const Shown& shown) {
    ShownDates translations(shown, "Assignment 1: your attention translates dates", true);
    Section maps{"Which character it looked at",
                 {"Each row is a character that the decoder says, each column one that the encoder has read. "
                  "The decoder says the "
                  "year first, which a person writes last: so it looks at the end first."}};
    constexpr int kDrawn = 4;
    const auto A = translations.translation.A.view<float, 3>();
    for (int k = 0; k < kDrawn; ++k) {
        const auto which = static_cast<std::size_t>(k);
        const std::string &written = translations.dates[which].written,
                          &said = translations.translation.said[which];
        WeightMap& map = maps.maps.emplace_back(
            WeightMap{written + " \u2192 " + said, letters_of(said), letters_of(written), {}});
        for (int t = 0; t < A.size(1); ++t)
            map.weights.insert(map.weights.end(), A[k][t].data(), A[k][t].data() + written.size());
    }
    translations.page.sections = {maps, translations.samples()};
    return translations.page;
}

ModelPage show_seq2seq(const Shown& shown) {
    ShownDates translations(shown, "Assignment 7: your encoder and your decoder translate dates", false);
    Section places{
        "The bottleneck",
        {"The decoder knows a date only by the encoder's last state, one vector for everything that was "
         "read. With attention, the same training of 500 steps leads to a translator of all dates: make show "
         "A=1 "
         "shows it, with your encoder. A longer training makes this vector enough for a date, which has only "
         "ten "
         "characters. make train MODEL=bottleneck draws how the answers depend on the length of a "
         "sentence."}};
    places.charts = {right_by_place(translations)};
    translations.page.sections = {places, translations.samples()};
    return translations.page;
}

}  // namespace attn::trained
