#pragma once
/// Reads a report as a suspicious student does: is there a sentence that the report's own checks refute?

#include <string>
#include <vector>

#include "grader/proof/kill_matrix.h"
#include "grader/report/report.h"

namespace attn::proof {

/// Every sentence of this part that one of its checks refutes, with that check: a pattern ("Right with N = 1, ..")
/// beside a case that is otherwise, or beside the smallest case; an output that is called right and is not; an
/// error that is called wrong and is allowed; a pattern of a form that this reader does not know. With a `matrix` of this part
/// also the names: a mistake that fails a check which this part passes.
std::vector<std::string> contradictions(const report::Part& part, const PartMatrix* matrix = nullptr);

}  // namespace attn::proof
