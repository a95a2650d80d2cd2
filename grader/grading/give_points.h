#pragma once
/// Gives points to checks.

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

}  // namespace attn
