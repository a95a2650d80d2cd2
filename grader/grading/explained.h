#pragma once
/// A replayed check as a report of its own, with all its numbers: for pages.

#include "grader/grading/replay.h"
#include "grader/report/report.h"

namespace attn {

/// A report with this check alone: as it was recorded, or with what its replay found, its inputs and a
/// picture of every output beside what is due.
report::Report explained(const report::RecordedCheck& recorded, const Replay* replay = nullptr);

}  // namespace attn
