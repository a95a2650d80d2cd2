#pragma once
/// The parts of the module language_model, which questions.cpp puts together, and a helper.

#include <map>
#include <string>
#include <vector>

#include "grader/ask/check.h"

namespace attn::ask::language_model {

std::vector<Recipe> recipes();
Recipe page_recipe();
std::map<std::string, std::vector<Property>> properties();

/// The tensors of a function: weights whose blocks change their inputs a lot, so that every token counts.
Arrays plain_inputs(const Function& function, const Sizes& sizes, Random& random);

/// shift + factor * array
Array scaled(const Array& array, double factor, double shift = 0);

}  // namespace attn::ask::language_model
