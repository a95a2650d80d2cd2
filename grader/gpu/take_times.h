#pragma once
/// The kernels' time for a call, beside that of the plain loops.

#include <functional>
#include <vector>

#include "grader/gpu/gpu_report.h"
#include "grader/judge/answer.h"

namespace attn::gpu {

/// Milliseconds of so many calls.
using Clock = std::function<std::vector<double>(const Argument* arguments, int count, int repetitions)>;

/// Both are asked for the question's arrays, in turn; each time is a median.
Times take_times(const judge::Question& question, const Clock& kernels, const Clock& plain_loops);

/// Of the question's function by this processor, after a call that does not count.
Clock clock_of_plain_loops(const ask::Function& function);

}  // namespace attn::gpu
