#pragma once
/// The layers of a model in training, computed by a student's functions.

#include <functional>
#include <memory>

#include "grader/models/student_or_reference.h"
#include "reference/models/training_loop.h"

namespace attn::trained {

/// Which of the student's functions compute a layer where there is a choice. A training takes the
/// default, because the backwards are those of whole blocks.
struct LayerChoice {
    /// Where a block gets its attention from. The smaller the function, the more of the block is put together.
    enum class From { attention, multi_head, block } from = From::block;
    /// Where a decoder is offered one vector only: decode_without_attention in place of decode.
    bool plain_decoder = false;
};

/// Layers whose forwards and backwards are the student's where `functions` has them, and otherwise
/// those of `others`. `functions` must outlive them.
std::unique_ptr<training::Modules> student_modules(StudentOrReference& functions,
                                                   std::unique_ptr<training::Modules> others,
                                                   LayerChoice choice = {});

/// The weights of attention in a pre-norm block that reads X [B, N, D]: [B, H, N, N]. They come from the student's
/// attention, whatever computes the block. The mask may be empty.
Array attention_weights(StudentOrReference& functions, training::Modules& modules, training::Read3 X,
                        const BlockWeights<float>& weights, training::Masks mask, int H);

/// A comparison of gradients. A model can learn in spite of a wrong gradient, so a loss curve does not show every
/// mistake.
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
