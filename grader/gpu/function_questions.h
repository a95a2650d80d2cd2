#pragma once
/// The questions for the reference's kernels: those that the rubrics ask of a student's kernels, and one
/// larger call of each function for the timing.

#include <cstdint>
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
/// all. The letters of batches and lengths come first, so this gives more work of the same kind.
judge::Question enlarged(judge::Question question, std::size_t elements);

}  // namespace attn::gpu
