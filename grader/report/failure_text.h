#pragma once
/// One failed check, told in full to who reads in a terminal.

#include "grader/report/lines.h"
#include "grader/report/report.h"

namespace attn::report {

/// Its name, outcome and, of speed and growth, points; then all that there is to say.
void write_failure(Lines& out, const Report& report, const Part& part, const Check& check);

}  // namespace attn::report
