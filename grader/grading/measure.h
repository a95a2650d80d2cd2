#pragma once
/// Measures the speed and growth of a part.

#include <vector>

#include "grader/build/builds.h"
#include "grader/report/report.h"

namespace attn {

/// Measures and returns the checks of speed and growth of a part, without ids and points. `timed`: builds of
/// the submission for speed measurements. The grader must do nothing else meanwhile. Throws
/// std::runtime_error if the plain loops or the yardstick fail.
std::vector<report::Check> measure(const submission::Rubric& rubric, const submission::PartRubric& part,
                                   submission::Builds& timed, const Installation& installation);

}  // namespace attn
