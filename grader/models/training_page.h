#pragma once
/// The page of a training: how the loss fell, what the model says, where it looks.

#include <vector>

#include "grader/models/model_page.h"
#include "reference/models/training_loop.h"

namespace attn::trained {

/// The page of a model, and of another one that was trained beside it, if there is one.
ModelPage page_of(const std::vector<training::Trained>& all);

/// The curves of the page's charts as JSON, to be drawn beside those of another training.
std::string curves_to_json(const ModelPage& page, const std::string& name);

/// Adds the curves of an earlier training to the charts that have the same titles. `name`: what they are called. Throws
/// nlohmann::json::exception if the text is not what curves_to_json() writes.
void add_curves(ModelPage& page, const std::string& json, const std::string& name);

/// The mean of each of at most `most` equal pieces of the losses, at the piece's last step.
Curve smoothed(const std::string& name, const std::vector<double>& losses, std::size_t most);

}  // namespace attn::trained
