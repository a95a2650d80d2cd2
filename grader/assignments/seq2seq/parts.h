#pragma once
/// The parts of the module seq2seq, which questions.cpp puts together.

#include <map>
#include <string>
#include <vector>

#include "grader/ask/check.h"

namespace attn::ask::seq2seq {

std::vector<Recipe> recipes();
std::map<std::string, std::vector<Property>> properties();

}  // namespace attn::ask::seq2seq
