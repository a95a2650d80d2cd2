#pragma once
/// The report as JUnit XML, in the subset that all common readers accept: a suite for each assignment, a test
/// case for each check.

#include <array>
#include <string>

#include "grader/report/report.h"

namespace attn::report {

/// Jenkins rejects unknown attributes; GitLab expects the `file` of each test case.
enum class JunitDialect { jenkins, gitlab };

inline constexpr std::array<const char*, 2> kJunitDialectNames{"jenkins", "gitlab"};

std::string to_junit(const Report& dirty, JunitDialect dialect = JunitDialect::jenkins);

}  // namespace attn::report
