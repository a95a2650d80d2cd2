#pragma once
/// Assignment 4: what several of its files use.

#include <vector>

#include "grader/ask/module.h"

namespace attn::ask::masking {

std::vector<Property> masked_softmax_properties();
std::vector<Property> masked_attention_properties();

}  // namespace attn::ask::masking
