#pragma once
/// Property checks: relations between a student's own outputs. A property shows nothing if the output ignores
/// many of the inputs, because zeros have every symmetry. So ignored inputs are found first. A single
/// forgotten bias among the many weights of a layer costs no property.

#include <optional>
#include <string>
#include <vector>

#include "grader/judge/answer.h"
#include "grader/report/report.h"

namespace attn::judge {

/// The result of running a property on a student.
struct PropertyRun {
    Outcome outcome = Outcome::passed;
    std::string message, printed;              ///< of a failed call
    std::vector<Arrays> runs;                  ///< the inputs of the calls
    std::vector<ask::Relation> yours;          ///< the relations that must hold; empty if a call failed
    std::vector<Comparison> comparisons = {};  ///< one for each relation
    std::optional<SourceTrace> lines = {};     ///< of a failed call
};
PropertyRun run_property(const Question& question, const ask::Property& property, const CallFunction& call);

/// Checks `properties` of the question's function on the question's inputs. The checks have the order of the
/// properties, and no id and no points.
std::vector<report::Check> judge_properties(const Question& question,
                                            const std::vector<const ask::Property*>& properties,
                                            const CallFunction& call);

/// The inputs that have an effect on an output of the reference.
std::vector<std::string> inputs_with_influence(const Question& question);

/// The inputs among `names` that have no effect on any output of `call`, although they were replaced several
/// times.
std::vector<std::string> ignored_inputs(const Question& question, std::vector<std::string> names,
                                        const CallFunction& call);

}  // namespace attn::judge
