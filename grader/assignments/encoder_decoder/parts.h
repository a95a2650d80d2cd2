#pragma once
/// The parts of the module encoder_decoder, which questions.cpp puts together.

#include <map>
#include <string>
#include <vector>

#include "grader/ask/check.h"

namespace attn::ask::encoder_decoder {

std::vector<Recipe> recipes();
std::map<std::string, std::vector<Property>> properties();

}  // namespace attn::ask::encoder_decoder
