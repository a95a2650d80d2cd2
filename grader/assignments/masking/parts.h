#pragma once
/// The pieces that make up the module masking; questions.cpp puts them together.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/ask/check.h"

namespace attn::ask::masking {

std::vector<Recipe> recipes();
std::map<std::string, std::vector<Property>> properties();
std::vector<Mistake> mistakes();
std::optional<Arrays> mistaken(const Function& function, std::span<const int> made, const Arrays& inputs,
                               Precision precision);

/// The causal mask [N_q, N_k].
Array causal(const std::string& name, int N_q, int N_k);
/// A mask [N_q, N_k] for each of B batches.
Array for_each_batch(const Array& mask, int B);

}  // namespace attn::ask::masking
