#pragma once
/// The checks of an assignment's kernels: the cases of its parts once more, asked of the student's .cu.

#include <string>
#include <vector>

#include "grader/grade.h"
#include "grader/report/report.h"
#include "grader/submission/kernel_builds.h"
#include "grader/submission/rubric.h"

namespace attn {

/// Adds them to the parts of an assignment that is graded otherwise, without ids and points; none where the
/// rubric asks for no kernels, or none are begun and they count only then.
void add_kernel_checks(const submission::Rubric& rubric, const GradeOptions& options,
                       submission::KernelBuilds& kernels, report::Assignment& assignment);

/// Whether the kernels' points are part of the total.
bool kernels_count(const submission::Rubric& rubric, const report::Assignment& assignment);

/// Where kernels are left out, why; for those assignments that have some. Empty where none is.
std::vector<std::string> kernels_left_out(const std::vector<const submission::Rubric*>& rubrics,
                                          const GradeOptions& options,
                                          const std::vector<report::Assignment>& assignments);

}  // namespace attn
