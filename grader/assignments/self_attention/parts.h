#pragma once
/// The parts of the module self_attention, which questions.cpp puts together.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/ask/check.h"

namespace attn::ask::self_attention {

std::vector<Recipe> recipes();
std::map<std::string, std::vector<Property>> properties();
std::vector<InnerCall> inner_calls(const Function& function, const Arrays& inputs);
std::vector<Mistake> mistakes();
std::optional<Arrays> mistaken(const Function& function, std::span<const int> mistake_numbers,
                               const Arrays& inputs, Precision precision);

}  // namespace attn::ask::self_attention
