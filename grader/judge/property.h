#pragma once
/// Property checks: what holds between a student's own outputs. A property is worth nothing where the output
/// ignores many of the inputs (zeros have every symmetry), so that is looked at first; one bias forgotten
/// among a layer's many weights costs no property.

#include <vector>

#include "grader/judge/answer.h"
#include "grader/report/report.h"

namespace attn::judge {

/// A property tried out on a student.
struct Trial {
    Outcome outcome = Outcome::passed;
    std::string message, printed;              ///< of a call that came to nothing
    std::vector<Arrays> runs;                  ///< inputs of the calls
    std::vector<ask::Relation> yours;          ///< what has to agree; empty where a call came to nothing
    std::vector<Comparison> comparisons = {};  ///< of each of them
};
Trial try_property(const Question& question, const ask::Property& property, const Ask& ask);

/// Checks `properties` of the question's function on the question's inputs. Checks come in their order,
/// without id and points.
std::vector<report::Check> judge_properties(const Question& question,
                                            const std::vector<const ask::Property*>& properties,
                                            const Ask& ask);

/// The inputs that move an output of the reference.
std::vector<std::string> inputs_with_influence(const Question& question);

/// Those of the inputs `names` that were replaced again and again and moved no output of `ask`.
std::vector<std::string> ignored_inputs(const Question& question, std::vector<std::string> names,
                                        const Ask& ask);

}  // namespace attn::judge
