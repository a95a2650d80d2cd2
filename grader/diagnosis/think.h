#pragma once
/// Questions that a failure without a name ends with.

#include <string>

#include "grader/judge/answer.h"
#include "grader/report/report.h"

namespace attn::diagnosis {

/// What to compare with a small case that has wrong numbers.
std::string question_about(const report::SmallestCase& smallest);

/// What to look for where a call gave no numbers: it crashed, left elements unwritten, or should have thrown. Empty for
/// other outcomes.
std::string question_about(const judge::Verdict& verdict);

}  // namespace attn::diagnosis
