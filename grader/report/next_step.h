#pragma once
/// The next step for the student, from what a report shows.

#include <optional>
#include <string>

#include "grader/report/report.h"

namespace attn::report {

/// "fix softmax (assignments/02_self_attention/README.md, step 1). Then: make grade A=2": the first of the
/// findings (see findings.h). Nothing if all is done.
std::optional<std::string> next_step(const Report& report);

/// The same. If all is done: praise, and the assignment that comes next in the course.
std::string what_next(const Report& report);

struct NextStep {
    std::string what, command;  ///< "fix softmax (..)." and "make grade A=2"; the command may be empty
};

/// The two halves of the text of next_step().
NextStep split_next_step(const std::string& text);

}  // namespace attn::report
