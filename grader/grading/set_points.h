#pragma once
/// Sets the points of a whole assignment.

#include <vector>

#include "grader/report/report.h"
#include "grader/rubric/rubric.h"

namespace attn {

/// How an assignment was graded, as far as its points depend on it.
struct PointOptions {
    bool speed = true;    ///< whether speed counts
    bool secret = false;  ///< whether the seed is secret, which decides what is disclosed
};

/// Sets the points of all parts and of the assignment, the disclosure of the checks, and the functions to
/// charge for stand-ins, all from the outcomes of the checks and from the rubric as it is now. So it also
/// gives a report that was made before the points of its rubric changed its new points. `rubrics`: those of
/// all assignments. The assignment has the parts of the rubric, in its order.
void set_points(const rubric::Rubric& rubric, const std::vector<rubric::Rubric>& rubrics,
                const PointOptions& options, report::Assignment& assignment);

}  // namespace attn
