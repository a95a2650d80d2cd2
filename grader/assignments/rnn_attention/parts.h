#pragma once
/// The parts of the module rnn_attention, which questions.cpp puts together.

#include <map>
#include <string>
#include <vector>

#include "grader/ask/check.h"

namespace attn::ask::rnn_attention {

std::vector<Recipe> recipes();
std::map<std::string, std::vector<Property>> properties();

}  // namespace attn::ask::rnn_attention
