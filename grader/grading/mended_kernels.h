#pragma once
/// One race is charged once. If the kernels of a function lack a __syncthreads(), the later functions that
/// use them race, too. The grader then adds the barrier to a copy of the student's file, and grades the later
/// functions with it: their points are lost only for their own mistakes.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/build/kernel_builds.h"
#include "grader/grading/time_budget.h"
#include "grader/report/report.h"
#include "grader/rubric/rubric.h"

namespace attn {

/// A line that gets a barrier: in front of it, or in front of it within braces around it.
struct Barrier {
    int line = 0;
    bool braces = false;
    friend bool operator==(const Barrier&, const Barrier&) = default;
};

/// The text with these barriers. The number of lines stays the same.
std::string with_barriers(std::string_view text, const std::vector<Barrier>& barriers);

/// The lines of the file `source` that take part in races within a block, as these checks tell.
std::vector<int> racing_lines(const std::vector<report::Check>& checks, std::string_view source);

/// Judges the kernels of a part, by its index in the rubric, in these builds.
using JudgeKernels =
    std::function<std::vector<report::Check>(submission::KernelBuilds& kernels, std::size_t part)>;

/// Judges parts again in whose checks a race of an earlier part shows, with barriers that end this race in
/// the earlier part. Replaces the checks of a part if more of them pass then. `checks`: those of each part.
/// Returns for each part the name of the earlier function, or an empty name.
std::vector<std::string> charge_races_once(const submission::Rubric& rubric,
                                           submission::KernelBuilds& kernels, TimeBudget& budget,
                                           const JudgeKernels& judge,
                                           std::vector<std::vector<report::Check>>& checks);

}  // namespace attn
