#pragma once
/// Makes all texts of a report safe to show: valid UTF-8, no control characters, limited length. Every writer
/// calls this first.

#include "grader/report/report.h"

namespace attn::report {

Report cleaned(Report report);
Check cleaned(Check check);

}  // namespace attn::report
