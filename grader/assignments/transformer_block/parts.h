#pragma once
/// The parts of the module transformer_block, which questions.cpp puts together, and helpers.

#include <map>
#include <string>
#include <vector>

#include "grader/ask/check.h"

namespace attn::ask::transformer_block {

std::map<std::string, std::vector<Property>> properties();

/// A causal mask for each batch.      [B, N, N]
Array causal_masks(int B, int N);

}  // namespace attn::ask::transformer_block
