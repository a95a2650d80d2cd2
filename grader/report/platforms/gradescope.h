#pragma once
/// The report as Gradescope's results.json.
///
/// Gradescope hides the total as soon as one test is hidden, whatever the score at the top says. So, where an
/// assignment's total is always shown, its checks that are kept back for now are no tests at all: they count
/// in the score at the top, and a line says how many they are. (Once they may be seen, grade again.) Where
/// the total may be hidden, they are tests with Gradescope's own visibility, and appear by themselves. One
/// such assignment hides the total of all that are graded together with it.

#include <string>

#include "grader/report/report.h"

namespace attn::report {

std::string to_gradescope(const Report& dirty);

}  // namespace attn::report
