#pragma once
/// Pretraining and fine-tuning: a masked language model of the book's words learns from few labels which lines stand as they are
/// in the book, and which have their words in disorder. The other model does so from weights that have learned nothing.

#include <memory>
#include <string>
#include <vector>

#include "reference/models/labelled_lines.h"
#include "reference/models/masked_language.h"
#include "reference/models/training_loop.h"

namespace attn::training {

/// What is trained, and for how long.
struct MaskedPlan {
    StackSizes sizes = {2, 64, 4, 256};
    int steps = 3000, batch = 64;
    float rate = 0.004F;
    float share = 0.3F;  ///< of the words that are hidden in training
    std::vector<int> labels = {50, 200, 800};
    int draws = 3;
    int tuning_steps = 100;
    /// The largest learning rates of fine-tuning: after pretraining, and without it.
    float tuned_rate = 0.001F, new_rate = 0.001F;
};

/// Throws std::invalid_argument if the text has too few chapters.
std::unique_ptr<Task> masked_by_plan(const MaskedPlan& plan, const std::string& text);

}  // namespace attn::training
