#pragma once
/// The report as workflow commands of GitHub Actions, for the standard output of a step: annotations for the
/// failures that cost most, then all failures as text, in which no command works.

#include <string>

#include "grader/report/report.h"

namespace attn::report {

/// GitHub shows no more of a step.
inline constexpr std::size_t kMostAnnotations = 10;

/// With a token of its own, which nobody can guess.
std::string to_github(const Report& dirty);

/// `token` switches commands off around what may hold a student's words, and on again. It must be neither in
/// the report nor known before.
std::string to_github(const Report& dirty, const std::string& token);

}  // namespace attn::report
