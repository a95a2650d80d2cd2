#pragma once
/// The report as PrairieLearn's results.json: at most 1 MB, with heat maps of the first wrong outputs. If no
/// file of the submission compiles, the result is "not gradable", which costs the student no attempt.

#include <string>

#include "grader/report/report.h"

namespace attn::report {

/// The size limit of PrairieLearn in bytes.
inline constexpr std::size_t kMostPrairieLearn = 1'000'000;

std::string to_prairielearn(const Report& dirty);

}  // namespace attn::report
