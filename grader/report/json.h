#pragma once
/// The whole report as JSON. NaN and infinity are written as null. The fields stand in fields.h.

#include <string>

#include "grader/base/errors.h"
#include "grader/report/report.h"

namespace attn::report {

/// Indented, with a final line feed.
std::string to_json(const Report& dirty);

/// The report that to_json wrote. A null in place of a number is read as NaN. Throws UserError if the text is no
/// report.
Report from_json(const std::string& text);

}  // namespace attn::report
