#pragma once
/// Makes a report of one replayed check with all its numbers, for an HTML page.

#include "grader/grading/replay.h"
#include "grader/report/report.h"

namespace attn {

/// A report with only this check. Without a replay the check is as recorded. With a replay it has the results
/// and inputs of the replay, and a picture of every output next to the expected one.
report::Report explained(const report::RecordedCheck& recorded, const Replay* replay = nullptr);

}  // namespace attn
