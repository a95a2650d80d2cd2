// Assignment 5: the functions with their references, and the recipes of inputs.

#include <cmath>

#include "contracts/masking_reference.h"
#include "contracts/transformer_block_functions.h"
#include "datasets/sentences.h"
#include "grader/ask/check.h"
#include "grader/ask/flop.h"
#include "grader/ask/inputs.h"
#include "grader/assignments/transformer_block/parts.h"

namespace attn::ask::transformer_block {
namespace {

std::vector<Function> functions() {
    std::vector<Function> all = contract_functions();
    count_operations(all, "layer_norm", flop::layer_norm);
    count_operations(all, "feed_forward", flop::feed_forward);
    count_operations(all, "transformer_block", flop::transformer_block);
    count_operations(all, "transformer_encoder", flop::transformer_encoder);
    return all;
}

Array scaled(const Array& array, double factor, double shift = 0) {
    return map(array, [=](double x) { return shift + factor * x; });
}

/// Three of four pairs may attend, on average. In each batch one token may not attend to any key.
Array holed_mask(const std::string& name, const Shape& shape, Random& random) {
    Array mask = random_mask(name, shape, random);
    const auto M = mask.view<std::uint8_t, 3>();
    const int N = M.size(1);
    for (int b = 0; b < M.size(0) && N > 2; ++b)
        for (int j = 0; j < N; ++j) M(b, (b + 1) % N, j) = 0;
    return mask;
}

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

/// Calls f for each row of X.
using ChangeRow = std::function<void(std::span<float> row, std::size_t number)>;
void change_rows(Array& X, const ChangeRow& f) {
    const auto D = static_cast<std::size_t>(X.shape.back());
    for (std::size_t i = 0; i < X.count() / D; ++i) f(std::span(&X.as<float>()[i * D], D), i);
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
    Arrays inputs = layers(function, sizes, random);
    Array& X = by_name(inputs, "X");
    X = scaled(X, 30);
    return inputs;
}

Arrays causal(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = layers(function, sizes, random);
    for (Array& array : inputs)
        if (array.name == "mask") array = causal_masks(array.shape[0], array.shape[1]);
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

}  // namespace

Array causal_masks(int B, int N) {
    Array masks = Array::zeros<std::uint8_t>("mask", {B, N, N});
    for (int b = 0; b < B; ++b) cpu::causal_mask(masks.view<std::uint8_t, 3>()[b]);
    return masks;
}

static const Registration kRegistered({"transformer_block", functions(), recipes(), properties()});

}  // namespace attn::ask::transformer_block
