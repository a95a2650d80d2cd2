// Assignment 19: the recipes of inputs. A configuration is a call's sizes and options, so there is nothing to draw.

#include "grader/ask/inputs.h"

namespace attn::ask::sizes {

std::vector<Recipe> recipes() {
    return {normal_recipe()};
}

}  // namespace attn::ask::sizes
