#pragma once
/// The parts of the module multi_head, which questions.cpp puts together, and helpers.

#include <map>
#include <string>
#include <vector>

#include "grader/ask/check.h"

namespace attn::ask::multi_head {

/// The option H of a call.
int heads_of(const Arrays& inputs);
/// An order of blocks as an order of their elements. Each block has `width` elements.
std::vector<int> blocks(const std::vector<int>& order, int width);

std::vector<Recipe> recipes();
std::map<std::string, std::vector<Property>> properties();
std::vector<Property> layer_properties();  ///< of multi_head_attention

}  // namespace attn::ask::multi_head
