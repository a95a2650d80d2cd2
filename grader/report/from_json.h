#pragma once
/// Reads a report from the JSON that to_json wrote.

#include <stdexcept>
#include <string>

#include "grader/base/errors.h"
#include "grader/report/report.h"

namespace attn::report {

/// The report in `text`. A null in place of a number is read as NaN. Throws UserError if it is no report.
Report from_json(const std::string& text);

}  // namespace attn::report
