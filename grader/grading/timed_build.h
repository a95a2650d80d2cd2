#pragma once
/// How timed code is compiled, in words for the report and the handouts.

#include <string>

#include "grader/base/installation.h"
#include "grader/report/measurement_data.h"

namespace attn {

/// The compile line of `source`, the vector unit, and what timed code may use on `threads` threads. The line
/// is complete but for the folders of the contract's headers (-I).
report::TimedBuild timed_build(const Installation& installation, const std::string& source, int threads);

}  // namespace attn
