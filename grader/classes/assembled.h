#pragma once
/// Reports from stored results.

#include <optional>
#include <string>
#include <vector>

#include "grader/report/report.h"
#include "grader/rubric/rubric.h"

namespace attn::classes {

/// How an exercise is graded, as far as points depend on it.
struct Scoring {
    const rubric::Rubric* rubric = nullptr;
    const std::vector<rubric::Rubric>* all = nullptr;  ///< the rubrics of all assignments
    bool secret = false, speed = false;
    std::vector<report::PathStep> path = {};  ///< of the course, as it is now
};

/// The parts of `newer` in the place of those of `older`, and the rest of `older`, in the order of the
/// rubric. Both are reports of one assignment of the same files. Parts that the rubric does not have are left
/// out.
report::Report with_parts(report::Report older, const report::Report& newer, const rubric::Rubric& rubric);

/// The functions whose speed would be measured: those that the rubric asks for and whose numbers are right.
std::vector<std::string> parts_to_measure(const report::Report& numbers, const rubric::Rubric& rubric);

/// The report for people: the checks of `numbers`, the speed of `speed` where it was measured, and points as
/// the rubric gives them now. This runs nothing.
report::Report assembled(report::Report numbers, const std::optional<report::Report>& speed,
                         const Scoring& scoring);

/// A report as it is stored: without the time it took and the place where the files lay.
std::string packed_report(report::Report report);
report::Report unpacked_report(const std::string& bytes);

}  // namespace attn::classes
