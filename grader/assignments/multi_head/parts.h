#pragma once
/// The pieces that make up the module multi_head; questions.cpp puts them together.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/ask/check.h"

namespace attn::ask::multi_head {

/// H among a call's inputs.
int heads_of(const Arrays& inputs);
/// An order of blocks as an order of what they are made of, `width` of it each.
std::vector<int> blocks(const std::vector<int>& order, int width);

std::vector<Recipe> recipes();
std::map<std::string, std::vector<Property>> properties();
std::vector<Property> layer_properties();  ///< of multi_head_attention
std::vector<Mistake> mistakes();
std::optional<Arrays> mistaken(const Function& function, std::span<const int> made, const Arrays& inputs,
                               Precision precision);

}  // namespace attn::ask::multi_head
