#pragma once
/// What checks earn.

#include "grader/report/report.h"
#include "grader/submission/rubric.h"

namespace attn {

/// Gives a part's checks their ids and points: equal shares for each check of a kind, paid where it passed;
/// for speed the share that was measured, of right numbers. Without speed, its points do not count at all.
void give_points(const submission::Rubric& rubric, const submission::PartRubric& rules, bool with_speed,
                 report::Part& part);

}  // namespace attn
