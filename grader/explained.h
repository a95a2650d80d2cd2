#pragma once
/// A replayed check as a report of its own, with all its numbers: for pages.

#include "grader/replay.h"
#include "grader/report/report.h"

namespace attn {

/// A report with the one check that was replayed, its inputs and a picture of every output beside what is
/// due.
report::Report explained(const report::Recorded& recorded, const Replay& replay);

}  // namespace attn
