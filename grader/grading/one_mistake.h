#pragma once
/// Says which functions of an assignment lose points for what may be one mistake.

#include <map>
#include <string>

#include "grader/compile/source_facts.h"
#include "grader/report/report.h"

namespace attn {

/// Gives the first function of each such group the sentence `costs_elsewhere`. The functions of a group have the same
/// named mistake; or they have no named one, and call the same function of the student, which no right function calls.
/// `calls`: between the functions of each source, by the part's function.
void add_costs_elsewhere(const std::map<std::string, compile::Calls>& calls, report::Assignment& assignment);

}  // namespace attn
