#pragma once
/// Causes of wrong numbers that the numbers themselves do not show.

#include "grader/diagnosis/numeric.h"

namespace attn {

/// Makes the first wrong call of a function once more: `fresh` makes it in a process of its own. If it is right there,
/// the code keeps something from one call to the next, and the check says so. Does nothing if a mistake is named.
void add_kept_state(diagnosis::NumericResult& judged, const judge::CallFunction& fresh);

/// Numbers that are wrong and have no other line get the line of g++'s warning that `function` uses a variable without a
/// value, if there is such a warning.
void add_uninitialised(const report::SourceFile& source, const std::string& function,
                       diagnosis::NumericResult& judged);

}  // namespace attn
