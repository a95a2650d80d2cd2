#pragma once
/// The parts of the questions of assignment 13.

#include <map>
#include <string>
#include <vector>

#include "grader/ask/check.h"

namespace attn::ask::backward {

std::vector<Recipe> recipes();
std::map<std::string, std::vector<Property>> properties();

}  // namespace attn::ask::backward
