#pragma once
/// Assignment 1: what several of its files use.

#include <vector>

#include "grader/ask/module.h"

namespace attn::ask::rnn_attention {

std::vector<Property> attention_context_properties();
std::vector<Property> decode_properties();
std::vector<Property> grid_attention_properties();

}  // namespace attn::ask::rnn_attention
