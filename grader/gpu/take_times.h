#pragma once
/// Times one call of the kernels and of the plain loops.

#include <functional>
#include <vector>

#include "grader/gpu/gpu_report.h"
#include "grader/judge/answer.h"

namespace attn::gpu {

/// Returns the time of each of `repetitions` calls in milliseconds.
using Timer = std::function<std::vector<double>(const Argument* arguments, int count, int repetitions)>;

/// Does so for kernels.
using KernelTimer = std::function<Timings(const Argument* arguments, int count, int repetitions)>;

/// Times the kernels and then the plain loops on the question's arrays. Each result is a median.
Times take_times(const judge::Question& question, const KernelTimer& kernels, const Timer& plain_loops);

/// Times the function's plain loops on this processor, after one call that does not count.
Timer plain_loops_timer(const ask::Function& function);

}  // namespace attn::gpu
