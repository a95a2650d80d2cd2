#pragma once
/// The report as a table (RFC 4180), a row for each check. No cell is a formula where a spreadsheet opens it.

#include <string>

#include "grader/report/report.h"

namespace attn::report {

std::string to_csv(const Report& dirty);

}  // namespace attn::report
