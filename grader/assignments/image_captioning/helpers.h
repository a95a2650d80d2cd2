#pragma once
/// Assignment 8: what several of its files use.

#include <vector>

#include "grader/ask/laws.h"

namespace attn::ask::image_captioning {

std::vector<Property> convolution_properties();
std::vector<Property> grid_properties();

}  // namespace attn::ask::image_captioning
