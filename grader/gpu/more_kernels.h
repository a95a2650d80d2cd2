#pragma once
/// The reference's kernels that no contract names: the four steps of attention (reference/steps/) and the
/// yardstick for a GPU (reference/fast/cuda/). Each counts as a function of its own.

#include <cstdint>
#include <vector>

#include "grader/gpu/function_questions.h"

namespace attn::gpu {

/// Two modules, "steps" and "fast". The truth of their functions is plain loops, those of the contracts as far
/// as they have the function.
const std::vector<ask::Module>& modules_of_more_kernels();

/// The questions of the rubrics about the same function, as far as a kernel takes their sizes, and others that
/// its tiles need. Kernels with the accuracy of fp32 may make the errors that students may. Products in bf16
/// may make one rounding error of bf16, which is 2^16 of fp32.
std::vector<FunctionQuestions> questions_for_more_kernels(const std::vector<submission::Rubric>& rubrics,
                                                          std::uint64_t seed);

/// The questions for all kernels that are in this program: those of the contracts and the others.
std::vector<FunctionQuestions> questions_for_all_kernels(const std::vector<submission::Rubric>& rubrics,
                                                         std::uint64_t seed);

}  // namespace attn::gpu
