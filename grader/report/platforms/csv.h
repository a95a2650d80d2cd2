#pragma once
/// The report as a CSV table (RFC 4180) with a row for each check. No cell is a formula in a spreadsheet.

#include <string>

#include "grader/report/report.h"

namespace attn::report {

std::string to_csv(const Report& dirty);

}  // namespace attn::report
