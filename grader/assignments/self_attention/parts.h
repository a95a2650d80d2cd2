#pragma once
/// The pieces that make up the module self_attention; questions.cpp puts them together.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/ask/check.h"

namespace attn::ask::self_attention {

std::vector<Recipe> recipes();
std::map<std::string, std::vector<Property>> properties();
std::vector<Mistake> mistakes();
std::optional<Arrays> mistaken(const Function& function, std::span<const int> made, const Arrays& inputs,
                               Precision precision);

}  // namespace attn::ask::self_attention
