#pragma once
/// Gives points to checks.

#include <vector>

#include "grader/report/report.h"
#include "grader/rubric/rubric.h"

namespace attn {

/// Whether the points for speed and growth, and those for kernels, count in the total.
struct Counted {
    bool speed = true, kernels = true;

    bool has(report::CheckKind kind) const {
        if (kind == report::CheckKind::cuda) return kernels;
        const bool of_speed = kind == report::CheckKind::speed || kind == report::CheckKind::growth;
        return speed || !of_speed;
    }
};

/// Gives the checks of a part their ids and points. All checks of a kind have equal shares of its points. A
/// check earns its share if it passed; a speed check earns the measured share if the numbers are right. A
/// kind that is not counted has no points at all.
void give_points(const rubric::Rubric& rubric, const rubric::PartRubric& rules, const Counted& counted,
                 report::Part& part);

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
