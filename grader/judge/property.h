#pragma once
/// Property checks: what holds between a student's own outputs. A property is worth nothing where the output
/// does not depend on the inputs at all (zeros have every symmetry), so that is looked at first.

#include <vector>

#include "grader/judge/answer.h"
#include "grader/report/report.h"

namespace attn::judge {

/// Checks `properties` of the question's function on the question's inputs. Checks come in their order,
/// without id and points.
std::vector<report::Check> judge_properties(const Question& question,
                                            const std::vector<const checks::Property*>& properties,
                                            const Ask& ask);

/// The inputs without influence on any output of `ask`, though they have one on the reference's; if `ask` is
/// null, those without influence on the reference's.
std::vector<std::string> inputs_without_influence(const Question& question, const Ask& ask);

}  // namespace attn::judge
