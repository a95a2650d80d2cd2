#pragma once
/// The questions for the reference's kernels: those that the rubrics ask of a student's kernels, those about kernels
/// that no contract names, and one larger call of each function for the timing. The kernels without a contract are the
/// four steps of attention (reference/steps/) and the yardstick for a GPU (reference/fast/cuda/). Each is a function of
/// its own.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/judge/answer.h"
#include "grader/rubric/rubric.h"

namespace attn::gpu {

struct FunctionQuestions {
    const ask::Module* module = nullptr;
    const ask::Function* function = nullptr;
    std::vector<judge::Question> questions;
    judge::Question timed;  ///< as in the rubric's [part.cuda.timed], or the last of `questions`, enlarged
};

/// The questions of every part that asks for kernels, in the rubrics' order.
std::vector<FunctionQuestions> questions_for_all_functions(const std::vector<rubric::Rubric>& rubrics,
                                                           std::uint64_t seed);

/// The question with the function's first size letter doubled until its arrays have this many elements in
/// all, or do not grow. The letters of batches and lengths come first, so this gives more work of the same kind.
judge::Question enlarged(judge::Question question, std::size_t elements);

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
