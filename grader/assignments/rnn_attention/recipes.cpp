// Assignment 1: the recipes of inputs.

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "datasets/png.h"
#include "datasets/sentences.h"
#include "datasets/shipped.h"
#include "grader/ask/inputs.h"

namespace attn::ask::rnn_attention {
namespace {

/// The kind of a sentence's mask. The sentences of a batch go through all kinds.
enum Sentence { padded_at_the_end, with_gaps, full, empty };

/// A mask with gaps has a word at this index and a pad on its left, if the sentence is long enough.
constexpr int kWordOfGaps = 2;

Array sentence_masks(const Shape& shape, Sentence first, Random& random) {
    Array mask = Array::zeros<std::uint8_t>("mask", shape);
    const auto m = mask.view<std::uint8_t, 2>();
    const int N = m.size(1);
    for (int b = 0; b < m.size(0); ++b) {
        const int kind = (static_cast<int>(first) + b) % 4;
        const int length = std::max(1, N - 1 - random.below(std::max(1, N / 3)));
        for (int j = 0; j < N; ++j) {
            const bool gap = random.below(4) == 0;
            const bool word = kind == with_gaps ? !gap : kind == full || (kind != empty && j < length);
            m(b, j) = word ? 1 : 0;
        }
        // There is always a gap before the last word, so that the count of words is not its index.
        if (kind == with_gaps && N > 1) m(b, std::min(kWordOfGaps, N - 1) - 1) = 0;
        if (kind == with_gaps) m(b, std::min(kWordOfGaps, N - 1)) = 1;
    }
    return mask;
}

/// Normal numbers. The weights are small enough that tanh is not saturated everywhere.
Arrays batch_that_begins_with(Sentence first, const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs;
    for (const TensorSpec& spec : function.inputs) {
        const Shape shape = shape_of(spec, sizes);
        if (spec.type == ElementType::u8) {
            inputs.push_back(sentence_masks(shape, first, random));
            continue;
        }
        const bool weights = spec.name[0] == 'W' || spec.name == "v", bias = spec.name[0] == 'b';
        // With 2 / sqrt(D_a) the scores differ enough for visibly different weights.
        const double size = (spec.name == "v" ? 2 : 1) / std::sqrt(weights ? static_cast<double>(shape[0])
                                                                   : bias  ? 4.0
                                                                           : 1.0);
        inputs.push_back(scaled(normal(spec.name, shape, random), size));
    }
    return inputs;
}

template <Sentence First>
Arrays batch(const Function& function, const Sizes& sizes, Random& random) {
    return batch_that_begins_with(First, function, sizes, random);
}

/// Without subtracting a maximum, exp of these scores is infinite or zero in a whole sentence.
Arrays overflow(const Function& function, const Sizes& sizes, Random& random) {
    if (function.name != "attention_context") {
        Arrays inputs = batch<full>(function, sizes, random);
        for (Array& array : inputs)
            if (array.name == "v") array = scaled(array, 7000);
        return inputs;
    }
    Arrays inputs = batch<padded_at_the_end>(function, sizes, random);
    const auto e = by_name(inputs, "e").view<float, 2>();
    for (int b = 0; b < e.size(0); ++b)
        for (int j = 0; j < e.size(1); ++j)
            e(b, j) += b % 2 == 1 && (random.below(2) == 0 || j == kWordOfGaps) ? 10000.0F : -10000.0F;
    return inputs;
}

/// Pads score far above words, so that exp of a word's score minus the largest of all is 0. For
/// attention_context, pads are near 200 and 10000 by turns. For decode, scores are near +-10000, and only
/// every fourth place is a word, so that the largest score is nearly always that of a pad.
Arrays loud_pads(const Function& function, const Sizes& sizes, Random& random) {
    constexpr int kWordEvery = 4;
    Arrays inputs = batch<padded_at_the_end>(function, sizes, random);
    for (Array& array : inputs)
        if (array.name == "v") array = scaled(array, 7000);
    if (!has(inputs, "mask")) return inputs;
    const auto mask = by_name(inputs, "mask").view<std::uint8_t, 2>();
    for (int b = 0; b < mask.size(0); ++b) {
        for (int j = 0; j < mask.size(1); ++j) {
            if (function.name == "attention_context") {
                if (mask(b, j) == 0)
                    by_name(inputs, "e").view<float, 2>()(b, j) += j % 2 == 0 ? 200.0F : 10000.0F;
            } else {
                mask(b, j) = j % kWordEvery == 1 ? 1 : 0;
            }
        }
    }
    return inputs;
}

/// All words of a sentence, or all cells of a grid, are equal.
Arrays equal_words(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = batch<padded_at_the_end>(function, sizes, random);
    for (Array& array : inputs) {
        if (array.name == "h" || array.name == "grid") {
            for (int axis = 1; axis + 1 < static_cast<int>(array.shape.size()); ++axis)
                array =
                    permuted(array, axis,
                             std::vector<int>(
                                 static_cast<std::size_t>(array.shape[static_cast<std::size_t>(axis)]), 0));
        }
    }
    return inputs;
}

/// The arguments of tanh are so large that it is 1 or -1.
Arrays saturated(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = batch<padded_at_the_end>(function, sizes, random);
    for (Array& array : inputs)
        if (array.name == "W_q" || array.name == "W_s" || array.name == "W_0" || array.name == "b")
            array = scaled(array, 100);
    return inputs;
}

Scene words_of_both() {
    return {{{"T", {data::lecture_tokens("agreement_en")}}, {"L", {data::lecture_tokens("agreement_fr")}}}};
}

/// The English sentence as encoder states. Each word has its fixed embedding.
Arrays sentence(const Function& function, const Sizes& sizes, Random& random) {
    static const auto kEnglish = data::lecture_tokens("agreement_en");
    const Arrays inputs = batch<full>(function, sizes, random);
    return has(inputs, "h") ? with(inputs, "h", data::embed(kEnglish, sizes.at("D_h"))) : inputs;
}

/// The same with START and the French sentence as target.
Arrays translation(const Function& function, const Sizes& sizes, Random& random) {
    static const auto kFrench = [] {
        auto words = data::lecture_tokens("agreement_fr");
        words.insert(words.begin(), "START");
        return words;
    }();
    return with(sentence(function, sizes, random), "y", data::embed(kFrench, sizes.at("D_y")));
}

constexpr int kCell = 50, kRows = 6, kColumns = 9, kFeatures = 6;  // of a picture of 300 x 451 pixels

/// The photograph in cells of 50 x 50 pixels. The features of a cell are the means and the standard
/// deviations of red, green and blue, normalised to mean 0 and variance 1 over the cells. They replace the
/// features of a convolutional network.
Array photograph_features() {
    const Array picture = data::read_png(data::shipped("chelsea.png"));
    const auto pixel = picture.view<std::uint8_t, 3>();
    Array grid = Array::zeros<float>("grid", {1, kRows, kColumns, kFeatures});
    const auto g = grid.view<float, 4>();
    constexpr int kCells = kRows * kColumns, kPixels = kCell * kCell;
    for (int channel = 0; channel < 3; ++channel) {
        for (int cell = 0; cell < kCells; ++cell) {
            double sum = 0, squares = 0;
            for (int p = 0; p < kPixels; ++p) {
                const double x =
                    pixel(cell / kColumns * kCell + p / kCell, cell % kColumns * kCell + p % kCell, channel);
                sum += x;
                squares += x * x;
            }
            const double mean = sum / kPixels;
            g(0, cell / kColumns, cell % kColumns, channel) = static_cast<float>(mean);
            g(0, cell / kColumns, cell % kColumns, 3 + channel) =
                static_cast<float>(std::sqrt(squares / kPixels - mean * mean));
        }
    }
    for (int d = 0; d < kFeatures; ++d) {
        double sum = 0, squares = 0;
        const auto each = [&g, d](const auto& f) {
            for (int cell = 0; cell < kCells; ++cell) f(g(0, cell / kColumns, cell % kColumns, d));
        };
        each([&](float& x) {
            sum += static_cast<double>(x), squares += static_cast<double>(x) * static_cast<double>(x);
        });
        const double mean = sum / kCells, deviation = std::sqrt(squares / kCells - mean * mean);
        each([&](float& x) { x = static_cast<float>((static_cast<double>(x) - mean) / deviation); });
    }
    return grid;
}

Arrays photograph(const Function& function, const Sizes& sizes, Random& random) {
    static const Array kGrid = photograph_features();
    return with(batch<full>(function, sizes, random), "grid", kGrid);
}

/// The weights a on the photograph, of which every tenth row and column is drawn.
Scene cells_of_photograph() {
    Scene scene;
    scene.looked_at = "a";
    scene.photograph = [] {
        constexpr int kThinned = 10, kHeight = kRows * kCell / kThinned, kWidth = kColumns * kCell / kThinned;
        const Array picture = data::read_png(data::shipped("chelsea.png"));
        const auto pixel = picture.view<std::uint8_t, 3>();
        Array image = Array::zeros<float>("photograph", {1, 3, kHeight, kWidth});
        const auto x = image.view<float, 4>();
        for (int channel = 0; channel < 3; ++channel)
            for (int row = 0; row < kHeight; ++row)
                for (int column = 0; column < kWidth; ++column)
                    x(0, channel, row, column) =
                        static_cast<float>(pixel(row * kThinned, column * kThinned, channel)) / 255;
        return image;
    };
    return scene;
}

}  // namespace

std::vector<Recipe> recipes() {
    return {
        {"normal", "random numbers", {}, batch<padded_at_the_end>},
        {"gaps", "masks with gaps before the last word", {}, batch<with_gaps>},
        {"empty_sentence", "the first sentence all pads", {}, batch<empty>},
        {"overflow", "scores near +-10000", {}, overflow},
        {"loud_pads", "scores of pads far above those of words", {}, loud_pads},
        {"equal_words", "the same vector at every place", {}, equal_words},
        {"saturated", "sums so large that tanh is 1 or -1", {}, saturated},
        {"sentence",
         "\"The agreement on the European Economic Area was signed in August 1992.\"",
         {{"B", 1}, {"T", 13}},
         sentence,
         words_of_both},
        {"translation",
         "\"The agreement on the European Economic Area ..\" and its French translation",
         {{"B", 1}, {"T", 13}, {"L", 13}},
         translation,
         words_of_both},
        {"photograph",
         "a photograph of a cat, colours and contrast of its 6 x 9 cells",
         {{"B", 1}, {"R", kRows}, {"C", kColumns}, {"D_h", kFeatures}},
         photograph,
         cells_of_photograph},
    };
}

}  // namespace attn::ask::rnn_attention
