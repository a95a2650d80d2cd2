#pragma once
/// Recognises a backward pass that is right for another forward pass: the exact derivative of the forward function
/// with one of its own listed mistakes. The gradients of a mistaken forward are compared as derivatives along
/// random directions, which two calls of the mistaken plain loops give.
///   <dX, u> = (l(X + h u) - l(X - h u)) / 2h,  l = sum of <dY, Y>

#include <map>
#include <optional>
#include <span>
#include <string>

#include "grader/diagnosis/diagnose.h"

namespace attn::diagnosis {

/// The forward function of a backward one, and what a call of the backward says about it. The names follow the
/// contract: X_backward has the inputs of X, after the gradient dY of each output Y of X that the loss depends on.
struct ForwardCall {
    const ask::Module* module = nullptr;
    const ask::Function* function = nullptr;
    Arrays inputs;                          ///< with the options
    std::map<std::string, Array> upstream;  ///< the gradients of outputs, by the output's name
};

/// Nothing if the function is no backward of a function of the contracts, or if its inputs leave out one of the forward's.
std::optional<ForwardCall> forward_of(const ask::Function& backward, const Arrays& inputs);

/// Sum over the outputs of <upstream, output>, in double.
double loss_of(const ForwardCall& forward, const Arrays& outputs);

/// The forward's listed mistakes whose derivative all these answers are. Answers for which finite differences are
/// inconclusive are left out; at least one wrong answer has to remain. Nothing if there is no such mistake.
std::optional<report::Diagnosis> right_for_another_forward(std::span<const Evidence> answers);

}  // namespace attn::diagnosis
