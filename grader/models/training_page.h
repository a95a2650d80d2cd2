#pragma once
/// The page of a training: how the loss fell, what the model says, where it looks.

#include <vector>

#include "grader/models/model_page.h"
#include "reference/models/training_loop.h"

namespace attn::trained {

/// The page of a model, and of another one that was trained beside it, if there is one.
ModelPage page_of(const std::vector<training::Trained>& all);

/// The mean of each of at most `most` equal pieces of the losses, at the piece's last step.
Curve smoothed(const std::string& name, const std::vector<double>& losses, std::size_t most);

}  // namespace attn::trained
