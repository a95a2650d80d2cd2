#pragma once
/// Property checks: relations between a student's own outputs. A property shows nothing if the outputs that
/// it compares hardly depend on many of the inputs, because zeros have every symmetry. So influences are
/// measured first: see influence.h. A single forgotten bias among the many weights of a layer costs no
/// property.

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
    std::vector<std::string> outputs = {};     ///< that the relations compare
    std::vector<Comparison> comparisons = {};  ///< one for each relation
    std::optional<SourceTrace> lines = {};     ///< of a failed call
};
PropertyRun run_property(const Question& question, const ask::Property& property, const CallFunction& call);

/// Checks `properties` of the question's function on the question's inputs. The checks have the order of the
/// properties, and no id and no points.
std::vector<report::Check> judge_properties(const Question& question,
                                            const std::vector<const ask::Property*>& properties,
                                            const CallFunction& call);

}  // namespace attn::judge
