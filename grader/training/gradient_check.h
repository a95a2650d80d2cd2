#pragma once
/// Compares the gradients that two implementations compute of the same batch. A model can learn in spite of a
/// wrong gradient, so a loss curve does not show every mistake.

#include <string>

#include "reference/training/training_loop.h"

namespace attn::trained {

struct GradientCheck {
    double difference = 0;  ///< of the weight that differs most, as a share of its gradient
    std::string weight;     ///< its name
    bool good() const {
        constexpr double kRounding = 0.01;
        return difference <= kRounding;
    }
};

/// Compares the gradients of the first batch at these weights. The gradient of a weight counts as at least a
/// thousandth of the gradient of all weights together, because some (such as that of b_K) are 0 but for
/// rounding.
GradientCheck compare_gradients(training::Task& task, const training::Numbers& theta,
                                training::Modules& yours, training::Modules& right);

}  // namespace attn::trained
