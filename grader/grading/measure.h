#pragma once
/// What a part's rubric asks of its speed, measured.

#include <vector>

#include "grader/build/builds.h"
#include "grader/report/report.h"

namespace attn {

/// The checks of speed and growth that a part has, without ids and points. `timed`: the submission's builds
/// for the clock. To be called by one thread, with nothing else of the grader's at work. Throws
/// std::runtime_error where the plain loops or the yardstick fail.
std::vector<report::Check> measure(const submission::Rubric& rubric, const submission::PartRubric& part,
                                   submission::Builds& timed, const Installation& installation);

}  // namespace attn
