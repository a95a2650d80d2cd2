// Assignment 3: the recipes of inputs.

#include <cmath>

#include "datasets/sentences.h"
#include "grader/ask/inputs.h"

namespace attn::ask::multi_head {
namespace {

/// mask(b, i, j) = allowed(b, i, j)
void set_mask(Arrays& inputs, const std::function<bool(int b, int i, int j)>& allowed) {
    const auto mask = by_name(inputs, "mask").view<std::uint8_t, 3>();
    for (int b = 0; b < mask.size(0); ++b)
        for (int i = 0; i < mask.size(1); ++i)
            for (int j = 0; j < mask.size(2); ++j) mask(b, i, j) = allowed(b, i, j) ? 1 : 0;
}

/// The weights keep projections near the size of their inputs. One of every five queries, starting with the
/// fourth, may not attend to any key.
Arrays layer_inputs(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = normal_inputs(function, sizes, random);
    if (function.name != "multi_head_attention") return inputs;
    for (Array& array : inputs)
        if (array.name.starts_with("W_")) array = scaled(array, 1 / std::sqrt(sizes.at("D")));
    const Array drawn = by_name(inputs, "mask");
    const auto bits = drawn.view<std::uint8_t, 3>();
    set_mask(inputs,
             [&bits](int b, int i, int j) { return (b * bits.size(1) + i) % 5 != 3 && bits(b, i, j) != 0; });
    return inputs;
}

/// X_kv is the sequence X_q, repeated from its start if N_k > N_q.
Arrays self(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = layer_inputs(function, sizes, random);
    const Array X = by_name(inputs, "X_q");
    std::vector<int> order(static_cast<std::size_t>(sizes.at("N_k")));
    for (std::size_t j = 0; j < order.size(); ++j) order[j] = static_cast<int>(j) % X.shape[1];
    return with(std::move(inputs), "X_kv", permuted(X, 1, order));
}

void hide_the_future(Arrays& inputs, const Sizes& sizes) {
    const int ahead = sizes.at("N_k") - sizes.at("N_q");
    set_mask(inputs, [ahead](int, int i, int j) { return j <= i + ahead; });
}

/// A sequence that sees only what is past: the layer of a language model.
Arrays causal(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = self(function, sizes, random);
    hide_the_future(inputs, sizes);
    return inputs;
}

/// Key sequences of different lengths, padded; the third of three is empty.
Arrays padded(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = layer_inputs(function, sizes, random);
    std::vector<int> lengths;
    for (int b = 0; b < sizes.at("B"); ++b)
        lengths.push_back(b % 3 == 2 ? 0 : 1 + random.below(sizes.at("N_k")));
    set_mask(inputs, [&lengths](int b, int, int j) { return j < lengths[static_cast<std::size_t>(b)]; });
    return inputs;
}

/// Without subtracting the row's maximum, exp of these scores is infinite or zero in a whole row.
Arrays overflow(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = layer_inputs(function, sizes, random);
    for (const char* name : {"W_Q", "b_Q", "W_K", "b_K"})
        inputs = with(inputs, name, scaled(by_name(inputs, name), std::sqrt(500.0)));
    set_mask(inputs, [](int, int, int) { return true; });
    return inputs;
}

/// The same with random masks: the largest score of a query is often masked, and the others lie far below it.
Arrays loud_masked(const Function& function, const Sizes& sizes, Random& random) {
    const Arrays inputs = layer_inputs(function, sizes, random);
    const Array mask = by_name(inputs, "mask");
    return with(overflow(function, sizes, random), "mask", mask);
}

/// A sentence of a lecture with a causal mask. Each word has its fixed embedding.
Arrays sentence(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = layer_inputs(function, sizes, random);
    const Array X = data::embed(data::lecture_tokens("animal"), sizes.at("D"));
    inputs = with(with(std::move(inputs), "X_q", X), "X_kv", X);
    hide_the_future(inputs, sizes);
    return inputs;
}

/// Cross-attention: the words of a translation attend to those of the original.
Arrays translation(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = layer_inputs(function, sizes, random);
    inputs = with(std::move(inputs), "X_q", data::embed(data::lecture_tokens("bread_es"), sizes.at("D")));
    inputs = with(std::move(inputs), "X_kv", data::embed(data::lecture_tokens("bread_en"), sizes.at("D")));
    set_mask(inputs, [](int, int, int) { return true; });
    return inputs;
}

}  // namespace

std::vector<Recipe> recipes() {
    return {
        {"normal", "random numbers", {}, layer_inputs},
        {"self", "one sequence that attends to itself", {}, self},
        {"causal", "one sequence that attends to its past", {}, causal},
        {"padded", "key sequences of different lengths, padded", {}, padded},
        {"overflow", "scores near +-1000", {}, overflow},
        {"loud_masked", "scores near +-1000, the largest often masked", {}, loud_masked},
        {"sentence",
         "\"The animal didn't cross the street because it was too tired\", each word seeing those before it",
         {{"B", 1}, {"N_q", 11}, {"N_k", 11}},
         sentence,
         [] {
             return Scene{
                 {{"N_q", {data::lecture_tokens("animal")}}, {"N_k", {data::lecture_tokens("animal")}}}};
         }},
        {"translation",
         "\"estamos comiendo pan\" attends to \"we are eating bread\"",
         {{"B", 1}, {"N_q", 3}, {"N_k", 4}},
         translation,
         [] {
             return Scene{
                 {{"N_q", {data::lecture_tokens("bread_es")}}, {"N_k", {data::lecture_tokens("bread_en")}}}};
         }},
    };
}

}  // namespace attn::ask::multi_head
