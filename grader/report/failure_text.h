#pragma once
/// Writes one failed check in full for a terminal.

#include "grader/report/lines.h"
#include "grader/report/report.h"

namespace attn::report {

/// Writes the name, the outcome and, for speed and growth, the points; then the description of the check.
void write_failure(Lines& out, const Report& report, const Part& part, const Check& check);

}  // namespace attn::report
