#pragma once
/// The functions of the reference's kernels that no contract names: the four steps of attention
/// (reference/steps/) and the yardstick for a GPU (reference/fast/cuda/). Each is a function of its own.

#include <vector>

#include "grader/ask/check.h"

namespace attn::gpu {

/// Three modules: "steps", "fast", and "products" for what needs cuBLAS. The truth of their functions is
/// plain loops, those of the contracts as far as they have the function.
const std::vector<ask::Module>& modules_of_more_kernels();

}  // namespace attn::gpu
