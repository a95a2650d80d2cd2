#include "grader/grading/give_points.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "grader/grading/kernel_checks.h"

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

namespace {

using rubric::Rubric;

/// The functions of this assignment, and the other assignments, that lose the points for the stand-ins of a
/// part. A stand-in may itself be charged to an earlier function.
std::vector<std::string> functions_to_charge(const report::Part& part, const report::Assignment& here,
                                             const std::vector<Rubric>& rubrics) {
    std::vector<std::string> charged;
    const auto add = [&charged](const std::string& name) {
        if (std::find(charged.begin(), charged.end(), name) == charged.end()) charged.push_back(name);
    };
    for (const std::string& function : part.stand_ins) {
        const auto found = std::find_if(here.parts.begin(), here.parts.end(),
                                        [&function](const auto& each) { return each.function == function; });
        if (found == here.parts.end()) {
            for (const Rubric& rubric : rubrics)
                if (rubric.module->find_function(function) != nullptr)
                    add(fmt::format("assignment {}", rubric.number));
        } else if (!report::all_correct(*found)) {
            add(function);
        } else {
            for (const std::string& earlier : found->charged_at) add(earlier);
        }
    }
    return charged;
}

}  // namespace

void set_points(const Rubric& rubric, const std::vector<Rubric>& rubrics, const PointOptions& options,
                report::Assignment& assignment) {
    if (assignment.parts.size() != rubric.parts.size())
        throw std::logic_error("the assignment has other parts than its rubric");
    assignment.total_always = rubric.total_always;
    assignment.points = assignment.max_points = 0;
    const Counted counted{options.speed, kernels_count(rubric, assignment)};
    for (std::size_t p = 0; p < rubric.parts.size(); ++p) {
        report::Part& part = assignment.parts[p];
        part.points = part.max_points = 0;
        give_points(rubric, rubric.parts[p], counted, part);
        for (report::Check& check : part.checks)
            check.disclosure = rubric.parts[p].disclosure_of(check.name, options.secret);
        part.charged_at = functions_to_charge(part, assignment, rubrics);
        assignment.points += part.points;
        assignment.max_points += part.max_points;
    }
}

}  // namespace attn
