#pragma once
/// What checks earn.

#include "grader/report/report.h"
#include "grader/rubric/rubric.h"

namespace attn {

/// Kinds of checks whose points may not be part of the total.
struct Counted {
    bool speed = true, kernels = true;

    bool has(report::CheckKind kind) const {
        if (kind == report::CheckKind::cuda) return kernels;
        const bool of_speed = kind == report::CheckKind::speed || kind == report::CheckKind::growth;
        return speed || !of_speed;
    }
};

/// Gives a part's checks their ids and points: equal shares for each check of a kind, paid where it passed;
/// for speed the share that was measured, of right numbers. What is not counted gives none and asks for none.
void give_points(const submission::Rubric& rubric, const submission::PartRubric& rules,
                 const Counted& counted, report::Part& part);

}  // namespace attn
