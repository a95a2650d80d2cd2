#pragma once
/// The report as a CSV table (RFC 4180) with a row for each check. No cell is a formula in a spreadsheet.

#include <string>
#include <string_view>

#include "grader/report/report.h"

namespace attn::report {

std::string to_csv(const Report& dirty);

/// The text as one cell: cleaned, in one line, quoted if necessary. A leading ' prevents formulas.
std::string csv_cell(std::string_view text);

}  // namespace attn::report
