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
};

/// Smaller amounts of memory count as this many MiB, so that a small cost has no growth.
inline constexpr double kLittleMemory_mib = 0.25;

/// Measures in several new processes and compares the lower end of the exponent's interval with the allowed
/// exponent. Outcomes: passed, slow, or the outcome of a failed call. Also reports outputs that are not
/// finite or not written. Does not compare answers with the truth, because judge_speed and the numeric checks
/// do that. The check has no name and no points.
report::Check judge_growth(const GrowthTask& task);

}  // namespace attn::judge
