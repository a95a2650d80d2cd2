#pragma once
/// The report as JUnit XML, in the subset that every reader of it takes: one suite an assignment, one case a
/// check.

#include <array>
#include <string>

#include "grader/report/report.h"

namespace attn::report {

/// Jenkins refuses attributes that it does not know; GitLab wants to know a case's file.
enum class JunitDialect { jenkins, gitlab };

inline constexpr std::array<const char*, 2> kJunitDialectNames{"jenkins", "gitlab"};

std::string to_junit(const Report& dirty, JunitDialect dialect = JunitDialect::jenkins);

}  // namespace attn::report
