#include "grader/grading/give_points.h"

#include <algorithm>

#include <fmt/format.h>

namespace attn {
namespace {

/// The share of its points that a check earns.
double share_earned(const report::Check& check) {
    if (check.kind == report::CheckKind::speed) {
        const bool measured = check.outcome == Outcome::passed || check.outcome == Outcome::slow;
        return measured && check.speed && check.speed->share > 0 ? std::min(check.speed->share, 1.0) : 0;
    }
    return check.outcome == Outcome::passed ? 1 : 0;
}

}  // namespace

void give_points(const rubric::Rubric& rubric, const rubric::PartRubric& rules, const Counted& counted,
                 report::Part& part) {
    for (report::Check& check : part.checks)
        check.id = fmt::format("{}.{}.{}", rubric.number, part.function, check.name);
    for (const report::CheckKind kind : report::kCheckKinds) {
        const double all = counted.has(kind) ? rules.points_of(kind) : 0;
        std::vector<report::Check*> checks;
        for (report::Check& check : part.checks)
            if (check.kind == kind) checks.push_back(&check);
        double earned = 0;
        for (report::Check* check : checks) {
            check->max_points = all / static_cast<double>(checks.size());
            check->points = check->max_points * share_earned(*check);
            earned += check->points;
        }
        const bool everything = !checks.empty() && std::all_of(checks.begin(), checks.end(), [](auto* check) {
            return check->points == check->max_points;
        });
        part.points += everything ? all : earned;  // a sum of shares may differ by a rounding error
        part.max_points += all;
    }
}

}  // namespace attn
