#pragma once
/// Measures how a cost grows with a length N. Time is the processor time of a call, beside that of the plain
/// loops. Memory is the peak memory of a process from its start to the end of a later call. From it the peak
/// of the plain loops' process is subtracted that has the same arrays and has made no call. So memory counts
/// that a student's library takes when it is loaded. growth_of_costs.h judges what is measured here.

#include "grader/ask/measuring.h"
#include "grader/speed/measure_speed.h"

namespace attn::speed {

struct GrowthTask : ask::GrowthTerms {
    judge::Question question;  ///< the sizes of the growing letters are replaced by each of the lengths
    Start yours;               ///< starts a worker with the student's library
    Start plain;               ///< the same with the plain loops
    StopMeasuring stop = [] { return std::nullopt; };
};

/// Smaller amounts of memory count as this many MiB, so that a small cost has no growth.
inline constexpr double kLittleMemory_mib = 0.25;

/// Measures in several new processes, in turn with the plain loops, until the verdict is settled or the
/// budget is used up. Compares every answer with the plain loops' answer, and one of these with the truth.
/// Outcomes: passed, slow, wrong, or the outcome of a failed call. The check has no name and no points.
/// Throws std::runtime_error if the plain loops fail.
report::Check judge_growth(const GrowthTask& task);

}  // namespace attn::speed
