#pragma once
/// The checks of an assignment's kernels: the cases of its parts once more, asked of the student's .cu.

#include <string>
#include <vector>

#include "grader/build/kernel_builds.h"
#include "grader/grading/grade.h"
#include "grader/judge/kernel_student.h"
#include "grader/report/report.h"
#include "grader/rubric/rubric.h"

namespace attn {

/// Who names the lines in what is found in an assignment's kernels, which compiled. `kernels` has to outlive
/// it.
judge::LineResolvers line_resolvers(const submission::Rubric& rubric, submission::KernelBuilds& kernels);

/// Adds them to the parts of an assignment that is graded otherwise, without ids and points; none where the
/// rubric asks for no kernels, or none are begun and they count only then.
void add_kernel_checks(const submission::Rubric& rubric, const GradeOptions& options,
                       submission::KernelBuilds& kernels, report::Assignment& assignment);

/// Whether the kernels' points are part of the total.
bool kernels_count(const submission::Rubric& rubric, const report::Assignment& assignment);

/// Where kernels that were handed in are left out, why. Empty where none are.
std::vector<std::string> kernels_left_out(const std::vector<const submission::Rubric*>& rubrics,
                                          const GradeOptions& options, const submission::Builds& builds,
                                          const std::vector<report::Assignment>& assignments);

}  // namespace attn
