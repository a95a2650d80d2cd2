#pragma once
/// Judges measured costs: how do they grow with a length? This needs no clock and no processes, so tests can
/// give it the costs of simulated processors.

#include <vector>

#include "grader/ask/measuring.h"
#include "grader/report/report.h"

namespace attn::judge {

/// Costs of one call: for each length, one for each restart. All lengths have as many restarts.
using Costs = std::vector<std::vector<double>>;

/// At the longest length a call may take this many times as long as the plain loops. Otherwise a function
/// could hide its growth by making the short lengths slow. Time is measured at lengths whose last is
/// ask::kLeastSpanOfTime times the first, so a function that hides one power takes at least about that many times as
/// long. Right functions without any optimisation take up to about 7 times as long.
inline constexpr double kMostTimesPlain = 12;

/// Fits the exponents for each restart, from times in seconds that were measured in the same run: the
/// student's, the plain loops', and the difference of the two.
report::Growth growth_of_time(const ask::GrowthTerms& terms, const Costs& yours_s, const Costs& plain_s);

/// Fits the exponent for each restart, from amounts of memory in MiB.
report::Growth growth_of_memory(const ask::GrowthTerms& terms, const Costs& memories_mib);

/// Whether more restarts cannot be expected to change the verdict: no limit lies in its interval.
bool is_settled(const report::Growth& growth);

/// The check of these measurements: passed, or slow with the reasons as its message. It has no name and no
/// points.
report::Check check_of(std::vector<report::Growth> measured);

}  // namespace attn::judge
