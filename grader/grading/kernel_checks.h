#pragma once
/// The checks of an assignment's kernels: the cases of its parts, computed by the student's .cu file.

#include <string>
#include <vector>

#include "grader/compile/kernel_builds.h"
#include "grader/grading/grade.h"
#include "grader/grading/time_budget.h"
#include "grader/judge/kernel_student.h"
#include "grader/report/report.h"
#include "grader/rubric/rubric.h"

namespace attn {

/// The functions that add file and line to findings in an assignment's kernels. The kernels must have
/// compiled, and `kernels` must outlive the result.
judge::LineResolvers line_resolvers(const rubric::Rubric& rubric, compile::KernelBuilds& kernels);

/// Adds the checks of the kernels, without ids and points, to the parts of an assignment whose other checks
/// are done. Adds nothing if the rubric has no kernels, or if the student has not begun them and they count
/// only when begun. No kernel is called after `budget` is used up.
void add_kernel_checks(const rubric::Rubric& rubric, const GradeOptions& options,
                       compile::KernelBuilds& kernels, TimeBudget& budget, report::Assignment& assignment);

/// Whether the total includes the points for kernels.
bool kernels_count(const rubric::Rubric& rubric, const report::Assignment& assignment);

/// Notes on submitted kernels that are not graded, with the reason. Empty if there are none.
std::vector<std::string> kernels_left_out(const std::vector<const rubric::Rubric*>& rubrics,
                                          const GradeOptions& options, const compile::Builds& builds,
                                          const std::vector<report::Assignment>& assignments);

}  // namespace attn
