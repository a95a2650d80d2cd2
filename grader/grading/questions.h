#pragma once
/// What a rubric asks, as questions for the judge.

#include <cstdint>
#include <vector>

#include "grader/judge/answer.h"
#include "grader/rubric/rubric.h"

namespace attn {

/// The call of one case.
judge::Question numeric_question(const submission::Rubric& rubric, const submission::CaseRubric& rules,
                                 std::uint64_t seed);

/// One question for each case of a part.
std::vector<judge::Question> numeric_questions(const submission::Rubric& rubric,
                                               const submission::PartRubric& part, std::uint64_t seed);

/// One question for each case that a part asks of its kernels.
std::vector<judge::Question> kernel_questions(const submission::Rubric& rubric,
                                              const submission::PartRubric& part, std::uint64_t seed);

/// The call whose speed a part asks for.
judge::Question speed_question(const submission::Rubric& rubric, const submission::PartRubric& part,
                               std::uint64_t seed);

/// The call whose cost a part asks for, at one of the lengths.
judge::Question growth_question(const submission::Rubric& rubric, const submission::PartRubric& part,
                                int length, std::uint64_t seed);

/// The inputs that the properties of a part are looked at on.
judge::Question property_question(const submission::Rubric& rubric, const submission::PartRubric& part,
                                  std::uint64_t seed);

}  // namespace attn
