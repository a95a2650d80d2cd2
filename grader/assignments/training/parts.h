#pragma once
/// The parts of the module training, which questions.cpp puts together, and helpers.

#include <map>
#include <string>
#include <vector>

#include "grader/ask/check.h"

namespace attn::ask::training {

std::vector<Recipe> recipes();
/// Properties of the gradient of the model, of a step and of the training.
std::map<std::string, std::vector<Property>> properties_of_model();

/// Which word looks at which in the model that `train` ends with.
std::vector<DrawingRecipe> drawings();

/// The tensors of `train`, or of a function with fewer of them, for the three sentences and `steps` steps.
Arrays sentences(const Function& function, const Sizes& sizes, Random& random);

Array scaled(const Array& array, double factor);
/// The number of an option, or a length.
double option_of(const Arrays& inputs, const char* name);

}  // namespace attn::ask::training
