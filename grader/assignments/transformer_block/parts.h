#pragma once
/// The parts of the module transformer_block, which questions.cpp puts together, and helpers.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assignments/05_transformer_block/transformer_block.h"
#include "grader/ask/check.h"
#include "grader/ask/inputs.h"

namespace attn::ask::transformer_block {

std::map<std::string, std::vector<Property>> properties();
std::vector<InnerCall> inner_calls(const Function& function, const Arrays& inputs);
std::vector<Mistake> mistakes();
std::optional<Arrays> mistaken(const Function& function, std::span<const int> mistake_numbers,
                               const Arrays& inputs, Precision precision);

/// The weights of transformer_block as a struct, from its inputs.
template <class T>
BlockWeights<T> block_weights(const Arrays& inputs) {
    const auto vector = [&inputs](const char* name) { return by_name(inputs, name).view<T, 1>(); };
    const auto matrix = [&inputs](const char* name) { return by_name(inputs, name).view<T, 2>(); };
    return {vector("gamma_1"),
            vector("beta_1"),
            {matrix("W_Q"), vector("b_Q"), matrix("W_K"), vector("b_K"), matrix("W_V"), vector("b_V"),
             matrix("W_O"), vector("b_O")},
            vector("gamma_2"),
            vector("beta_2"),
            matrix("W_1"),
            vector("b_1"),
            matrix("W_2"),
            vector("b_2")};
}

/// The weights of transformer_encoder as a struct, from its inputs.
template <class T>
EncoderWeights<T> encoder_weights(const Arrays& inputs) {
    const auto vectors = [&inputs](const char* name) { return by_name(inputs, name).view<T, 2>(); };
    const auto matrices = [&inputs](const char* name) { return by_name(inputs, name).view<T, 3>(); };
    const auto vector = [&inputs](const char* name) { return by_name(inputs, name).view<T, 1>(); };
    return {vectors("gamma_1"), vectors("beta_1"), matrices("W_Q"), vectors("b_Q"),  matrices("W_K"),
            vectors("b_K"),     matrices("W_V"),   vectors("b_V"),  matrices("W_O"), vectors("b_O"),
            vectors("gamma_2"), vectors("beta_2"), matrices("W_1"), vectors("b_1"),  matrices("W_2"),
            vectors("b_2"),     vector("gamma"),   vector("beta")};
}

/// A causal mask for each batch.      [B, N, N]
Array causal_masks(int B, int N);

}  // namespace attn::ask::transformer_block
