#pragma once
/// The next step for the student, from what a report shows.

#include <optional>
#include <string>

#include "grader/report/report.h"

namespace attn::report {

/// "fix softmax (assignments/02_self_attention/README.md, step 1). Then: make grade A=2": the first step that
/// is not done. Assignments that the student has begun come first. Nothing if all is done.
std::optional<std::string> next_step(const Report& report);

}  // namespace attn::report
