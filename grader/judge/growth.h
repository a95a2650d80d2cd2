#pragma once
/// How does a cost grow with a length? Time is the processor time of a call, memory what the process holds
/// beyond the arrays of the call at its worst moment. The cost of length N is taken as proportional to
/// N^exponent, fitted over all lengths.

#include <string>
#include <vector>

#include "grader/judge/measuring.h"
#include "grader/judge/speed.h"

namespace attn::judge {

struct GrowthTask : GrowthTerms {
    Question question;  ///< the sizes of the growing letters are replaced by each of the lengths
    Start yours;
};

/// Memory below this counts as this much, in MiB: a cost that stays so small grows with nothing.
inline constexpr double kLittleMemory_mib = 0.25;

/// Measures in several fresh processes, and judges by the better end of the exponent's interval. Outcomes:
/// passed, slow, or whatever became of a call. Answers are not compared with the truth: judge_speed and the
/// numeric checks do that; one that is not finite, or is not written, is an outcome all the same. The check
/// has neither name nor points.
report::Check judge_growth(const GrowthTask& task);

}  // namespace attn::judge
