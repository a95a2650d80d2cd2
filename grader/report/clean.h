#pragma once
/// A report without anything in its texts that could do harm where it is shown: every writer begins with
/// this.

#include "grader/report/report.h"

namespace attn::report {

Report cleaned(Report report);
Check cleaned(Check check);

}  // namespace attn::report
