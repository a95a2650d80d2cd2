#pragma once
/// Small inputs for every function, so small and simple that a person can compute the answer by hand.

#include "grader/ask/check.h"

namespace attn::cli {

/// Inputs of few numbers at lengths that differ where they meet in one array, without the optional inputs.
/// Their numbers are small and whole. A function that only moves numbers gets 1, 2, 3, .., so that each can
/// be followed. Always the same for the same contract.
Arrays example_inputs(const ask::Module& module, const ask::Function& function);

}  // namespace attn::cli
