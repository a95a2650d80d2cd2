#pragma once
/// The report as JUnit XML, in the subset that every reader of it takes: one suite an assignment, one case a
/// check.

#include <string>

#include "grader/report/report.h"

namespace attn::report {

std::string to_junit(const Report& dirty);

}  // namespace attn::report
