#pragma once
/// Measures the speed and growth of a part.

#include <vector>

#include "grader/compile/builds.h"
#include "grader/grading/time_budget.h"
#include "grader/report/report.h"

namespace attn {

/// Measures and returns the checks of speed and growth of a part, without ids and points. `timed`: builds of
/// the submission for speed measurements. `stand_ins`: as for Builds::worker_for; there are none if the
/// rubric asks for speed. The grader must do nothing else meanwhile. Throws
/// std::runtime_error if the plain loops or the yardstick fail. Measuring ends when `budget` is used up.
std::vector<report::Check> measure(const rubric::Rubric& rubric, const rubric::PartRubric& part,
                                   const std::vector<std::string>& stand_ins, compile::Builds& timed,
                                   const Installation& installation, TimeBudget& budget);

}  // namespace attn
