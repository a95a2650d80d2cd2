#pragma once
/// Assignment 14: what several of its files use.

#include <vector>

#include "datasets/recall.h"
#include "grader/ask/module.h"

namespace attn::ask::training {

/// Which word looks at which in the model that `train` ends with.
std::vector<DrawingRecipe> drawings();

/// Two keys with their values: "a 1 b 2 a 1".
inline constexpr int kRecallPairs = 2;
const data::Recall& recall_world();

/// The words of recall's sentences, and what a training's losses and answers say.
Scene scene_of_recall();
/// Where the query looks in the model that `train` ends with.
std::vector<DrawingRecipe> drawings_of_recall();

}  // namespace attn::ask::training
