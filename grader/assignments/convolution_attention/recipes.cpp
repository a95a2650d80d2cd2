// Assignment 16: the recipes of inputs.

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "datasets/digits.h"
#include "datasets/sentences.h"
#include "datasets/shipped.h"
#include "grader/ask/inputs.h"

namespace attn::ask::convolution_attention {
namespace {

/// Normal numbers. Weights are divided by the root of the number of their terms, and a variance is above 0.
Arrays layers(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = normal_inputs(function, sizes, random);
    for (Array& array : inputs) {
        const std::string& name = array.name;
        if (name[0] == 'W') {
            double terms = 1;
            for (std::size_t axis = 0; axis + 1 < array.shape.size(); ++axis) terms *= array.shape[axis];
            array = scaled(array, 1 / std::sqrt(terms));
        } else if (name == "variance") {
            array = map(array, [](double x) { return 0.5 + std::abs(x); });
        }
    }
    return inputs;
}

/// Changes each feature of X [B, N, D]: f of the number and of its feature.
Arrays with_features(Arrays inputs, const std::function<double(double x, int d)>& f) {
    Array& X = by_name(inputs, "X");
    for (std::size_t k = 0; k < X.count(); ++k) {
        float& x = X.as<float>()[k];
        x = static_cast<float>(f(static_cast<double>(x), static_cast<int>(k) % X.shape.back()));
    }
    return inputs;
}

Arrays low_variance(const Function& function, const Sizes& sizes, Random& random) {
    return with_features(layers(function, sizes, random), [](double x, int d) { return x / 1000 + d; });
}

/// Every second feature has the same number in all vectors.
Arrays constant_features(const Function& function, const Sizes& sizes, Random& random) {
    return with_features(layers(function, sizes, random),
                         [](double x, int d) { return d % 2 == 0 ? d - 0.75 : x; });
}

/// Without larger scores.
Arrays far_from_0(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = layers(function, sizes, random);
    for (Array& array : inputs)
        if (array.name == "W_f" || array.name == "W_g") array = scaled(array, 1.0 / 300);
    return with_features(std::move(inputs), [](double x, int d) { return x + (d % 2 == 0 ? 300 : -300); });
}

/// Scores near +-1000.
Arrays overflow(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = layers(function, sizes, random);
    for (const char* name : {"W_f", "W_g"}) by_name(inputs, name) = scaled(by_name(inputs, name), 30);
    return inputs;
}

/// A sentence of a lecture in place of X: each word has its fixed embedding.
Arrays sentence(const Function& function, const Sizes& sizes, Random& random) {
    return with(layers(function, sizes, random), "X", data::embed(person_words(), sizes.at("D_in")));
}

constexpr int kSide = 8, kAround = 9;

/// A handwritten digit. The features of a cell are the ink, 0 .. 1, of its pixel and of the eight pixels around it,
/// less 1/4. They stand in place of the features of a convolutional network. W_f and W_g leave them as they are, so a
/// cell looks at those whose surroundings are like its own.
Arrays digit(const Function& function, const Sizes& sizes, Random& random) {
    static const Array kPixels = data::read_digits(data::shipped("digits.csv.gz")).pixels;
    Arrays inputs = layers(function, sizes, random);
    const auto pixel = kPixels.view<float, 3>();
    const auto X = by_name(inputs, "X").view<float, 4>();
    for (int r = 0; r < kSide; ++r)
        for (int c = 0; c < kSide; ++c)
            for (int d = 0; d < kAround; ++d) {
                const int row = r + d / 3 - 1, column = c + d % 3 - 1;
                const bool inside = std::min(row, column) >= 0 && std::max(row, column) < kSide;
                X(0, r, c, d) = (inside ? pixel(0, row, column) / 16 : 0) - 0.25F;
            }
    for (const char* name : {"W_f", "W_g"}) {
        const auto W = by_name(inputs, name).view<float, 2>();
        for (int d = 0; d < kAround; ++d)
            for (int k = 0; k < kAround; ++k) W(d, k) = d == k ? 2 : 0;
    }
    return inputs;
}

/// Where one cell looks: its row of A, on the grid.
std::optional<Drawing> map_of_a_cell(const Arrays&, const Arrays& outputs) {
    if (!has(outputs, "A")) return std::nullopt;
    constexpr int kRow = 3, kColumn = 2;
    Drawing drawn;
    drawn.matrices = permuted(by_name(outputs, "A"), 1, {kRow * kSide + kColumn});
    drawn.matrices.shape = {kSide, kSide};
    drawn.letters = {"R", "C"};
    drawn.sentences = {
        "Where the cell in row 3 and column 2 looks, on the left stroke of a handwritten 0: its row of A, "
        "laid out as the "
        "grid. The brighter a cell, the more the two surroundings are alike: other parts of both strokes, "
        "far away as "
        "well, and hardly the paper. A convolution with a kernel of 3 x 3 would see its eight neighbours "
        "alone."};
    return drawn;
}

}  // namespace

std::vector<Recipe> recipes() {
    return {
        {"normal", "normal numbers, with weights that keep every sum near 1", {}, layers},
        {"low_variance", "features with a standard deviation of 1e-3", {}, low_variance},
        {"constant_features", "every second feature the same number in all vectors", {}, constant_features},
        {"far_from_0", "features around +-300", {}, far_from_0},
        {"overflow", "scores near +-1000", {}, overflow},
        person_recipe(sentence),
        {"digit",
         "a handwritten 0, each pixel with the eight around it, which looks for surroundings like its own",
         {{"B", 1}, {"R", kSide}, {"C", kSide}, {"D", kAround}, {"D_k", kAround}},
         digit,
         {},
         {{"A of a cell", map_of_a_cell}}},
    };
}

}  // namespace attn::ask::convolution_attention
