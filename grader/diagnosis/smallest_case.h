#pragma once
/// A small case of a failure, as a report shows it.

#include <vector>

#include "grader/diagnosis/explanations.h"
#include "grader/diagnosis/search_edits.h"
#include "grader/diagnosis/shrink.h"
#include "grader/report/report.h"

namespace attn::diagnosis {

/// What a smaller case has to show: the same outcome, a clear error, and the named mistake if there is one.
StillFails must_show(const judge::Verdict& verdict, const std::vector<Made>& named);

/// The case with simple numbers. They show the same mistake: the named one, or the edits that were found.
Shrunk with_simple_values(Shrunk shrunk, const std::vector<Made>& named, const FoundEdits& found,
                          const judge::CallFunction& call);

/// Its numbers, those of a right solution, and what a right solution computes on the way. Only its sizes if the numbers
/// are too many.
report::SmallestCase smallest_of(const Shrunk& shrunk);

}  // namespace attn::diagnosis
