// Assignment 21: the recipes of inputs. Gradients of outputs are normal numbers, which differ everywhere: the
// gradient of a sum would hide most mistakes.

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "datasets/sentences.h"
#include "grader/ask/inputs.h"

namespace attn::ask::recurrent_backward {
namespace {

/// Of four sentences, one has pads at its end, one between its words, one none, and one has no word.
Array sentence_mask(const std::string& name, const Shape& shape) {
    Array mask = Array::zeros<std::uint8_t>(name, shape);
    const auto M = mask.view<std::uint8_t, 2>();
    for (int b = 0; b < M.size(0); ++b)
        for (int j = 0; j < M.size(1); ++j) {
            const bool words[] = {j == 0 || j + 1 < M.size(1), j % 3 != 0, true, false};
            M(b, j) = words[b % 4] ? 1 : 0;
        }
    return mask;
}

/// Biases are not 0, and matrices keep the size of their inputs.
Arrays plain_inputs(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs;
    for (const TensorSpec& spec : function.inputs) {
        const Shape shape = shape_of(spec, sizes);
        const std::string& name = spec.name;
        if (spec.type == ElementType::u8) {
            inputs.push_back(sentence_mask(name, shape));
            continue;
        }
        const double size = name.starts_with("W")   ? 1 / std::sqrt(shape[0])
                            : name == "v"           ? 2 / std::sqrt(shape[0])
                            : name.starts_with("b") ? 0.5
                                                    : 1;
        inputs.push_back(scaled(normal(name, shape, random), size));
    }
    return inputs;
}

/// +-10000 is added to all scores of a sentence, which changes no weight.
Arrays far(const Function& function, const Sizes& sizes, Random& random) {
    constexpr float kFar = 10000;
    Arrays inputs = plain_inputs(function, sizes, random);
    if (has(inputs, "e"))
        change_rows(by_name(inputs, "e"), [](std::span<float> row, std::size_t i) {
            for (float& x : row) x += i % 2 == 0 ? kFar : -kFar;
        });
    return inputs;
}

/// Pads score far above all words: exp of a word's score minus the largest of all is 0.
Arrays loud_pads(const Function& function, const Sizes& sizes, Random& random) {
    constexpr float kLoud = 10000;
    Arrays inputs = plain_inputs(function, sizes, random);
    if (!has(inputs, "e") || !has(inputs, "mask")) return inputs;
    const auto& mask = by_name(inputs, "mask").as<std::uint8_t>();
    auto& e = by_name(inputs, "e").as<float>();
    for (std::size_t k = 0; k < e.size(); ++k) e[k] += mask[k] == 0 ? kLoud : 0;
    return inputs;
}

/// The plain inputs with the rows of the sentences' mask in another order: the first sentence has no word.
Arrays wordless_first(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = plain_inputs(function, sizes, random);
    if (!has(inputs, "mask")) return inputs;
    Array& mask = by_name(inputs, "mask");
    const Array once = mask;
    const auto row = static_cast<std::size_t>(mask.shape[1]);
    const std::size_t count = mask.count();
    for (std::size_t k = 0; k < count; ++k)
        mask.as<std::uint8_t>()[k] = k < row ? 0 : once.as<std::uint8_t>()[k - row];
    return inputs;
}

const std::vector<std::string>& words_of(const std::string& sentence) {
    static std::map<std::string, std::vector<std::string>> known;
    if (!known.contains(sentence)) known[sentence] = data::lecture_tokens(sentence);
    return known[sentence];
}

/// A lecture's English sentence as encoder states, and the French one, after START, as the words before.
Arrays translation(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = plain_inputs(function, sizes, random);
    if (!has(inputs, "y")) return inputs;
    std::vector<std::string> french = words_of("agreement_fr");
    french.insert(french.begin(), "START");
    std::ranges::fill(by_name(inputs, "mask").as<std::uint8_t>(), 1);
    return with(with(inputs, "h", data::embed(words_of("agreement_en"), sizes.at("D_h"))), "y",
                data::embed(french, sizes.at("D_y")));
}

}  // namespace

std::vector<Recipe> recipes() {
    return {{"normal", "normal numbers, and biases that count", {}, plain_inputs},
            {"far", "scores around +-10000", {}, far},
            {"loud_pads", "pads that score far above all words", {}, loud_pads},
            {"wordless_first", "a first sentence without words", {}, wordless_first},
            {"translation",
             "\"the agreement on the European Economic Area ..\" and its French translation",
             {{"B", 1}, {"T", 13}, {"L", 13}},
             translation,
             [] {
                 return Scene{{{"T", {words_of("agreement_en")}}, {"L", {words_of("agreement_fr")}}}};
             }}};
}

}  // namespace attn::ask::recurrent_backward
