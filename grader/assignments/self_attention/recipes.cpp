// Assignment 2: the recipes of inputs.

#include <cmath>

#include "datasets/digits.h"
#include "datasets/sentences.h"
#include "datasets/shipped.h"
#include "grader/ask/inputs.h"

namespace attn::ask::self_attention {
namespace {

/// The array whose rows give the rows of the scores.
const char* row_array(const Function& f) {
    return f.name == "scaled_dot_product_attention" ? "Q" : "X";
}
/// The array whose rows give the columns of the scores.
const char* key_array(const Function& f) {
    return f.name == "scaled_dot_product_attention" ? "K" : "X";
}

/// Multiplies each row of an array's last two axes by its factor.
void scale_rows(Array& array, const std::function<double(int row)>& factor) {
    const auto rows = static_cast<std::size_t>(array.shape[array.shape.size() - 2]);
    const auto length = static_cast<std::size_t>(array.shape.back());
    auto& values = array.as<float>();
    for (std::size_t k = 0; k < values.size(); ++k)
        values[k] *= static_cast<float>(factor(static_cast<int>(k / length % rows)));
}

/// Without subtracting the row's maximum, exp of these scores is infinite or zero in a whole row. In softmax every
/// third row has one large score, its last, which a maximum over the first ones misses.
Arrays overflow(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = normal_inputs(function, sizes, random);
    if (function.name == "softmax") {
        Array& X = by_name(inputs, "X");
        const auto D = static_cast<std::size_t>(X.shape[1]);
        for (std::size_t k = 0; k < X.count(); ++k) {
            const std::size_t kind = k / D % 3;
            const bool large = kind == 0 ? random.below(2) == 1 : kind == 1 && k % D == D - 1;
            X.as<float>()[k] += large ? 1000.0F : -1000.0F;
        }
        return inputs;
    }
    const double reach =
        function.name == "self_attention" ? std::sqrt(1000.0 / sizes.at("D_x")) : std::sqrt(1000.0);
    for (const char* name : {"Q", "K", "W_Q", "W_K"})
        for (Array& array : inputs)
            if (array.name == name) array = scaled(array, reach);
    return inputs;
}

/// Some rows of scores lie far above others. Subtracting one common maximum makes the lower rows 0.
Arrays huge_and_tiny(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = normal_inputs(function, sizes, random);
    Array& rows = by_name(inputs, row_array(function));
    scale_rows(rows, [](int row) { return row % 3 == 0 ? 300.0 : row % 3 == 1 ? 1e-3 : 1.0; });
    return inputs;
}

/// The second half of the keys (of softmax: of the columns) repeats the first.
Arrays duplicate_keys(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = normal_inputs(function, sizes, random);
    Array& keys = by_name(inputs, key_array(function));
    const int length = keys.shape[1], half = (length + 1) / 2;
    std::vector<int> order(static_cast<std::size_t>(length));
    for (int k = 0; k < length; ++k) order[static_cast<std::size_t>(k)] = k % half;
    keys = permuted(keys, 1, order);
    return inputs;
}

/// The weights keep projections near the size of their inputs.
Arrays layer_inputs(const Function& function, const Sizes& sizes, Random& random, Array X) {
    Arrays inputs = normal_inputs(function, sizes, random);
    const double shrink = 1 / std::sqrt(sizes.at("D_x"));
    for (Array& array : inputs) array = scaled(array, shrink);
    return with(std::move(inputs), "X", std::move(X));
}

constexpr int kDigitSide = 8;

/// The third handwritten digit of the file as N = 8 row vectors of D_x = 8 pixels with values 0 .. 1.
Arrays digit(const Function& function, const Sizes& sizes, Random& random) {
    static const data::Digits kDigits = data::read_digits(data::shipped("digits.csv.gz"));
    constexpr std::ptrdiff_t kPixels = kDigitSide * kDigitSide;
    const auto first = kDigits.pixels.as<float>().begin() + 2 * kPixels;
    Array X("X", {1, kDigitSide, kDigitSide}, std::vector<float>(first, first + kPixels));
    for (float& pixel : X.as<float>()) pixel /= 16;
    return layer_inputs(function, sizes, random, std::move(X));
}

const std::vector<std::string>& sentence_tokens() {
    static const auto kTokens = data::lecture_tokens("animal");
    return kTokens;
}

/// A sentence of a lecture. Each word has its fixed embedding.
Arrays sentence(const Function& function, const Sizes& sizes, Random& random) {
    return layer_inputs(function, sizes, random, data::embed(sentence_tokens(), sizes.at("D_x")));
}

}  // namespace

std::vector<Recipe> recipes() {
    return {
        normal_recipe(),
        {"overflow", "scores near +-1000", {}, overflow},
        {"huge_and_tiny", "huge and tiny rows together", {}, huge_and_tiny},
        {"duplicate_keys", "keys that repeat", {}, duplicate_keys},
        {"digit",
         "a handwritten digit as eight row vectors",
         {{"B", 1}, {"N", kDigitSide}, {"D_x", kDigitSide}},
         digit},
        {"sentence",
         "\"The animal didn't cross the street because it was too tired\"",
         {{"B", 1}, {"N", 11}},
         sentence,
         [] {
             return Scene{{{"N", {sentence_tokens()}}}};
         }},
    };
}

}  // namespace attn::ask::self_attention
