#pragma once
/// The report as Gradescope's results.json.
///
/// Gradescope hides the total score if any test is hidden. Therefore, if an assignment always shows its
/// total, its checks that are kept back are not written as tests: they count in the total score, and a note
/// says how many there are. (Grade again once they may be shown.) If the total may be hidden, these checks
/// are tests with Gradescope's `visibility`, and Gradescope shows them when they are due. One such assignment
/// hides the total of all assignments that are graded together with it.

#include <string>

#include "grader/report/report.h"

namespace attn::report {

std::string to_gradescope(const Report& dirty);

}  // namespace attn::report
