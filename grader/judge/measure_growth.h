#pragma once
/// Judges how a cost grows with a length N. Time is the processor time of a call. Memory is the peak memory
/// of the process without the arrays of the call. The cost is modelled as proportional to N^exponent, fitted
/// over all lengths.

#include <string>
#include <vector>

#include "grader/ask/measuring.h"
#include "grader/judge/measure_speed.h"

namespace attn::judge {

struct GrowthTask : ask::GrowthTerms {
    Question question;  ///< the sizes of the growing letters are replaced by each of the lengths
    Start yours;        ///< starts a worker with the student's library
    Start plain;        ///< the same with the plain loops
    StopMeasuring stop = [] { return std::nullopt; };
    Start expected;  ///< the same with a library whose answers are compared with: the yardstick or the plain
                     ///< loops
};

/// Smaller amounts of memory count as this many MiB, so that a small cost has no growth.
inline constexpr double kLittleMemory_mib = 0.25;

/// At the longest length a call may take this many times as long as the plain loops. Otherwise a function
/// could hide its growth by making the short lengths slow.
inline constexpr double kMostTimesPlain = 4;

/// Measures in several new processes. Compares the lower end of the exponent's interval with the allowed
/// exponent, the time at the longest length with that of the plain loops, and every answer with the truth.
/// Outcomes: passed, slow, wrong, or the outcome of a failed call. The check has no name and no points.
/// Throws std::runtime_error if a library of the grader fails.
report::Check judge_growth(const GrowthTask& task);

}  // namespace attn::judge
