#pragma once
/// The parts of the module masking, which questions.cpp puts together, and helpers.

#include <map>
#include <string>
#include <vector>

#include "grader/ask/check.h"

namespace attn::ask::masking {

std::vector<Recipe> recipes();
std::map<std::string, std::vector<Property>> properties();

/// The causal mask [N_q, N_k].
Array causal(const std::string& name, int N_q, int N_k);
/// The mask [N_q, N_k], repeated for B batches: [B, N_q, N_k].
Array for_each_batch(const Array& mask, int B);

}  // namespace attn::ask::masking
