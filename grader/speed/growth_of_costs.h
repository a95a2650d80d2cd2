#pragma once
/// Judges measured costs: how do they grow with a length? This needs no clock and no processes, so tests can
/// give it the costs of simulated processors.

#include <vector>

#include "grader/ask/measuring.h"
#include "grader/report/report.h"

namespace attn::speed {

/// Costs of one call: for each length, one for each restart. All lengths have as many restarts.
using Costs = std::vector<std::vector<double>>;

/// At the longest length a call may take this many times as long as the plain loops. Otherwise a function
/// could hide any growth by making the short lengths slow. A right patchify with a vector for each pixel takes
/// 113 times as long as the plain loops, which the compiler vectorises. So this limit cannot tell a function
/// that hides a single power (16 times) from a slow right one; it catches two powers (256 times and more).
inline constexpr double kMostTimesPlain = 400;

/// Fits the exponents for each restart, from times in seconds that were measured in the same run: the
/// student's, the plain loops', and the difference of the two.
report::Growth growth_of_time(const ask::GrowthTerms& terms, const Costs& yours_s, const Costs& plain_s);

/// At the longest length a process may take this much more memory than that of the plain loops. Otherwise
/// memory that it takes whatever the length is (in a constructor, or by the first call) could hide any
/// growth. So the longest length has to be such that an array that grows too fast is larger than this.
inline constexpr double kMostMemoryAbovePlain_mib = 2;

/// Fits the exponent for each restart, from amounts of memory in MiB, and compares those at the last length.
report::Growth growth_of_memory(const ask::GrowthTerms& terms, const Costs& yours_mib,
                                const Costs& plain_mib);

/// Whether more restarts cannot be expected to change the verdict: no limit lies in its interval.
bool is_settled(const report::Growth& growth);

/// The check of these measurements: passed, or slow with the reasons as its message. It has no name and no
/// points.
report::Check check_of(std::vector<report::Growth> measured);

}  // namespace attn::speed
