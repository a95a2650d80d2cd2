#pragma once
/// One failed check, told in full to who reads in a terminal.

#include "grader/report/lines.h"
#include "grader/report/report.h"

namespace attn::report {

/// Numbers that are wrong, or a call that came to nothing: where, the smallest case, the mistake, what to do.
void write_failure(Lines& out, const Report& report, const Part& part, const Check& check);

/// What was measured of speed or growth, or why nothing could be.
void write_measured(Lines& out, const Report& report, const Part& part, const Check& check);

/// "case ragged", "property rows_sum_to_one", "speed"
std::string heading(const Check& check);

}  // namespace attn::report
