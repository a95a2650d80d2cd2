// Assignment 5: the recipes of inputs.

#include <cmath>

#include "datasets/sentences.h"
#include "grader/ask/inputs.h"

namespace attn::ask::transformer_block {
namespace {

/// Gains are around 1, shifts and biases are not 0, and matrices keep the size of their inputs.
Arrays layers(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs;
    for (const TensorSpec& spec : function.inputs) {
        const Shape shape = shape_of(spec, sizes);
        if (spec.type == ElementType::u8)
            inputs.push_back(holed_mask(spec.name, shape, random));
        else if (spec.name.starts_with("gamma"))
            inputs.push_back(scaled(normal(spec.name, shape, random), 0.4, 1));
        else if (spec.name.starts_with("W"))
            inputs.push_back(scaled(normal(spec.name, shape, random), 1 / std::sqrt(*(shape.end() - 2))));
        else
            inputs.push_back(scaled(normal(spec.name, shape, random), spec.name == "X" ? 1 : 0.5));
    }
    return inputs;
}

/// Rows of standard deviation 1e-3, some with mean 0 and some not, so that eps matters. What a block adds to
/// them is as small, so that eps matters in its second norm as well.
Arrays low_variance(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = layers(function, sizes, random);
    change_rows(by_name(inputs, "X"), [](std::span<float> row, std::size_t i) {
        const float level = static_cast<float>(i % 3) * 0.75F;
        for (float& x : row) x = level + x / 1000;
    });
    for (Array& array : inputs)
        for (const char* small : {"W_O", "b_O", "W_2", "b_2"})
            if (function.name != "feed_forward" && array.name == small) array = scaled(array, 1e-3);
    return inputs;
}

/// In every second row all numbers are equal. In the other rows they are nearly equal.
Arrays constant_rows(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = layers(function, sizes, random);
    change_rows(by_name(inputs, "X"), [](std::span<float> row, std::size_t i) {
        const float level = row[0];
        for (float& x : row) x = i % 2 == 0 ? level : level + x / 1000;
    });
    return inputs;
}

/// Rows around 300 with a standard deviation of 1.
Arrays far_from_0(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = layers(function, sizes, random);
    change_rows(by_name(inputs, "X"), [](std::span<float> row, std::size_t i) {
        for (float& x : row) x += i % 2 == 0 ? 300.0F : -300.0F;
    });
    return inputs;
}

/// For numbers this large every activation is linear, and exp(2 x^3) overflows a float.
Arrays large(const Function& function, const Sizes& sizes, Random& random) {
    const Arrays inputs = layers(function, sizes, random);
    return with(inputs, "X", scaled(by_name(inputs, "X"), 30));
}

Arrays causal(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = layers(function, sizes, random);
    for (Array& array : inputs)
        if (array.name == "mask") array = causal_masks(array.shape[0], array.shape[1], array.shape[1]);
    return inputs;
}

const std::vector<std::string>& sentence_tokens() {
    static const auto kWords = data::lecture_tokens("animal");
    return kWords;
}

/// A sentence of a lecture with a causal mask. Each word has its fixed embedding.
Arrays sentence(const Function& function, const Sizes& sizes, Random& random) {
    return with(causal(function, sizes, random), "X", data::embed(sentence_tokens(), sizes.at("D")));
}

}  // namespace

std::vector<Recipe> recipes() {
    return {
        {"normal", "normal numbers, gains and biases that count", {}, layers},
        {"low_variance", "rows with a standard deviation of 1e-3", {}, low_variance},
        {"constant_rows", "rows of one number throughout", {}, constant_rows},
        {"far_from_0", "rows around +-300", {}, far_from_0},
        {"large", "numbers around +-30", {}, large},
        {"causal", "a causal mask", {}, causal},
        {"sentence",
         "\"The animal didn't cross the street because it was too tired\", with a causal mask",
         {{"B", 1}, {"N", 11}},
         sentence,
         [] {
             return Scene{{{"N", {sentence_tokens()}}}};
         }},
    };
}

}  // namespace attn::ask::transformer_block
