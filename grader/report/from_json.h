#pragma once
/// Reports read again from what to_json wrote.

#include <stdexcept>
#include <string>

#include "grader/base/errors.h"
#include "grader/report/report.h"

namespace attn::report {

/// The report in `text`. null stands for a number that was none: it is NaN here. Throws UserError.
Report from_json(const std::string& text);

}  // namespace attn::report
