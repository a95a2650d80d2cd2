#pragma once
/// One race is charged once. If the kernels of a function lack a __syncthreads(), the later functions that
/// use them race, too. The grader then adds the barrier to a copy of the student's file, and grades the later
/// functions with it: their points are lost only for their own mistakes.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/files/temporary_directory.h"
#include "grader/compile/kernel_builds.h"
#include "grader/grading/time_budget.h"
#include "grader/report/report.h"
#include "grader/rubric/rubric.h"

namespace attn {

using Barrier = report::AddedBarrier;

/// A copy of the submission with barriers, and its builds.
class MendedKernels {
  public:
    MendedKernels(const compile::KernelBuilds& original, const std::vector<Barrier>& barriers);
    compile::KernelBuilds& builds() { return builds_; }

  private:
    data::TemporaryDirectory folder_;
    compile::KernelBuilds builds_;
};

/// The lines of the file `source` that take part in races within a block, as these checks tell.
std::vector<int> racing_lines(const std::vector<report::Check>& checks, std::string_view source);

/// Judges the kernels of a part, by its index in the rubric, in these builds.
using JudgeKernels =
    std::function<std::vector<report::Check>(compile::KernelBuilds& kernels, std::size_t part)>;

/// Where the points of a race are lost, and the barriers that end it. Empty if a part has no such race.
struct RaceCharge {
    std::string charged_at;
    std::vector<Barrier> barriers;
};

/// Judges parts again in whose checks a race of an earlier part shows, or one of another assignment's file,
/// with barriers that end this race. Replaces the checks of a part if more of them pass then. `checks`: those
/// of each part. Returns a charge for each part.
std::vector<RaceCharge> charge_races_once(const rubric::Rubric& rubric, compile::KernelBuilds& kernels,
                                          TimeBudget& budget, const JudgeKernels& judge,
                                          std::vector<std::vector<report::Check>>& checks);

}  // namespace attn
