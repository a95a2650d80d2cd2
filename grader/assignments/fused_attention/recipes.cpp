// Assignment 15: the recipes of inputs.

#include <cmath>

#include "datasets/sentences.h"
#include "grader/ask/inner_calls.h"
#include "grader/ask/inputs.h"
#include "grader/assignments/fused_attention/helpers.h"

namespace attn::ask::fused_attention {

Arrays consistent(Arrays inputs, bool causal) {
    if (!has(inputs, "L")) return inputs;
    Arrays forward = only(inputs, {"Q", "K", "V"});
    for (const char* side : {"B_r", "B_c"}) forward.push_back(option(side, 4));
    forward.push_back(option("causal", causal ? 1 : 0));
    for (const char* name : {"Y", "L"})
        inputs = with(std::move(inputs), name, output_of("blocked_attention", forward, name));
    return inputs;
}

namespace {

auto normal_for(bool causal) {
    return [causal](const Function& function, const Sizes& sizes, Random& random) {
        return consistent(normal_inputs(function, sizes, random), causal);
    };
}

/// Scores near +-1000 that rise by 2 from number to number or from key to key, and fall in every second row.
Arrays rising(const Function& function, const Sizes& sizes, Random& random) {
    constexpr double kStep = 2, kFar = 1000, kQuery = 8;
    Arrays inputs = normal_inputs(function, sizes, random);
    for (Array& array : inputs) {
        if (array.name == "dY") array = map(array, [](double dy) { return 1000 * dy; });
        if (array.name != "X" && array.name != "Q" && array.name != "K") continue;
        const auto D = static_cast<std::size_t>(array.shape.back()),
                   N = static_cast<std::size_t>(array.shape[array.shape.size() - 2]);
        for (std::size_t k = 0; k < array.count(); ++k) {
            const double sign = k / D % N % 2 == 0 ? 1 : -1;
            const auto rises = [&](std::size_t place) { return kFar + kStep * static_cast<double>(place); };
            float& x = array.as<float>()[k];
            if (array.name == "X")
                x += static_cast<float>(sign * rises(k % D));
            else if (k % D == 0)  // q . k / sqrt(D_q): feature 0 contributes sign (kFar + kStep j)
                x = static_cast<float>(array.name == "Q"
                                           ? kQuery * sign
                                           : rises(k / D % N) / kQuery * std::sqrt(static_cast<double>(D)));
        }
    }
    return consistent(inputs, false);
}

/// Queries and keys near -20.
Arrays far_below_0(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = normal_inputs(function, sizes, random);
    for (const char* name : {"Q", "K"})
        if (has(inputs, name))
            inputs = with(inputs, name, map(by_name(inputs, name), [](double x) { return x - 20; }));
    return consistent(inputs, false);
}

/// A sentence of a lecture in place of Q, K and V: each word has its fixed embedding.
Arrays sentence(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = normal_inputs(function, sizes, random);
    for (const char* name : {"Q", "K", "V"})
        if (has(inputs, name))
            inputs = with(inputs, name, data::embed(person_words(), by_name(inputs, name).shape[2]));
    return consistent(inputs, false);
}

}  // namespace

std::vector<Recipe> recipes() {
    std::vector<Recipe> all = {
        {"normal", "normal numbers", {}, normal_for(false)},
        {"causal", "normal numbers, with the Y and L of causal attention", {}, normal_for(true)},
        {"rising", "scores near +-1000 that rise from key to key, and fall in every second row", {}, rising},
        {"far_below_0", "queries and keys near -20", {}, far_below_0},
        person_recipe(sentence),
    };
    for (Recipe& recipe : all)
        recipe.consistent = [causal = recipe.name == "causal"](Arrays inputs) {
            return consistent(std::move(inputs), causal);
        };
    return all;
}

}  // namespace attn::ask::fused_attention
