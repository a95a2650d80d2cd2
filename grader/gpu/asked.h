#pragma once
/// What the kernels are asked: what the rubrics ask of a student's, and one larger call each for the clock.

#include <cstdint>
#include <vector>

#include "grader/judge/answer.h"
#include "grader/rubric/rubric.h"

namespace attn::gpu {

struct Asked {
    const ask::Module* module = nullptr;
    const ask::Function* function = nullptr;
    std::vector<judge::Question> questions;
    judge::Question timed;  ///< that of the rubric's [part.speed], else the last of `questions` grown
};

/// Of every part that asks for kernels, in the rubrics' order.
std::vector<Asked> all_asked(const std::vector<submission::Rubric>& rubrics, std::uint64_t seed);

/// With the first of the function's letters doubled until its arrays have this many elements in all. Letters
/// of batches and lengths come first, so that this gives more of the same work.
judge::Question grown(judge::Question question, std::size_t elements);

}  // namespace attn::gpu
