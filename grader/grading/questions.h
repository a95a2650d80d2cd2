#pragma once
/// Turns the cases of a rubric into questions for the judge.

#include <cstdint>
#include <vector>

#include "grader/judge/answer.h"
#include "grader/rubric/rubric.h"

namespace attn {

/// The question of one case.
judge::Question numeric_question(const rubric::Rubric& rubric, const rubric::CaseRubric& rules,
                                 std::uint64_t seed);

/// One question for each case of a part.
std::vector<judge::Question> numeric_questions(const rubric::Rubric& rubric, const rubric::PartRubric& part,
                                               std::uint64_t seed);

/// One question for each case of a part's kernels.
std::vector<judge::Question> kernel_questions(const rubric::Rubric& rubric, const rubric::PartRubric& part,
                                              std::uint64_t seed);

/// Marks the questions whose checks are not shown in full. Texts of other checks must not tell their
/// outcomes.
void keep_back(std::vector<judge::Question>& questions, const rubric::PartRubric& part, bool secret_seed);

/// The call whose time on a GPU is taken. The part must have one.
judge::Question kernel_timing_question(const rubric::Rubric& rubric, const rubric::PartRubric& part,
                                       std::uint64_t seed);

/// The call whose speed is measured.
judge::Question speed_question(const rubric::Rubric& rubric, const rubric::PartRubric& part,
                               std::uint64_t seed);

/// The call whose growth is measured, at one of the lengths.
judge::Question growth_question(const rubric::Rubric& rubric, const rubric::PartRubric& part, int length,
                                std::uint64_t seed);

/// The call on whose inputs the properties of a part are checked.
judge::Question property_question(const rubric::Rubric& rubric, const rubric::PartRubric& part,
                                  std::uint64_t seed);

}  // namespace attn
