#pragma once
/// Questions about the kernels of more_functions.h: the steps and the yardstick for a GPU.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/gpu/function_questions.h"

namespace attn::gpu {

/// The questions of the rubrics about the same function, as far as a kernel takes their sizes, and others
/// that its tiles need. Kernels with the accuracy of fp32 may make the errors that students may. Products in
/// bf16 may make one rounding error of bf16, which is 2^16 of fp32.
std::vector<FunctionQuestions> questions_for_more_kernels(const std::vector<rubric::Rubric>& rubrics,
                                                          std::uint64_t seed);

/// The names of those kernels that are not in this program, because it was built without cuBLAS. (A program
/// that was built without CUDA has no kernels at all, and `device()` says so.)
std::vector<std::string> kernels_left_out();

/// The questions for all kernels that are in this program: those of the contracts and the others.
std::vector<FunctionQuestions> questions_for_all_kernels(const std::vector<rubric::Rubric>& rubrics,
                                                         std::uint64_t seed);

}  // namespace attn::gpu
