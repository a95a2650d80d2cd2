#pragma once
/// The report as PrairieLearn's results.json: at most 1 MB, with heat maps of the first wrong outputs. A
/// submission of which nothing compiles is "not gradable", which costs no attempt.

#include <string>

#include "grader/report/report.h"

namespace attn::report {

/// What PrairieLearn takes.
inline constexpr std::size_t kMostPrairieLearn = 1'000'000;

std::string to_prairielearn(const Report& dirty);

}  // namespace attn::report
