#pragma once
/// Assignment 14: what several of its files use.

#include <vector>

#include "grader/ask/module.h"

namespace attn::ask::training {

/// Which word looks at which in the model that `train` ends with.
std::vector<DrawingRecipe> drawings();

}  // namespace attn::ask::training
