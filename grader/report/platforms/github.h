#pragma once
/// The report as workflow commands of GitHub Actions, for the standard output of a step: annotations for the
/// failures that cost the most points, then all failures as text in which no command is executed.

#include <string>

#include "grader/report/report.h"

namespace attn::report {

/// GitHub shows at most this many annotations of a step.
inline constexpr std::size_t kMostAnnotations = 10;

/// Writes the commands with a random token.
std::string to_github(const Report& dirty);

/// `token` disables commands before text that may come from a student, and enables them again afterwards. It
/// must not occur in the report, and students must not be able to predict it.
std::string to_github(const Report& dirty, const std::string& token);

}  // namespace attn::report
