#pragma once
/// The outputs of several calls of a function, as arrays of double: a student's and the reference's.

#include <optional>
#include <string>
#include <vector>

#include "grader/judge/answer.h"

namespace attn::judge {

/// A student's outputs of every run, or the first outcome other than passed.
struct Runs {
    Outcome outcome = Outcome::passed;
    std::string message, printed;
    std::vector<Arrays> outputs;       ///< of the calls that returned
    std::optional<SourceTrace> lines;  ///< of a failed call
};

Runs run_all(const ask::Function& function, const std::vector<Arrays>& inputs, const CallFunction& call);

std::vector<Arrays> run_reference(const ask::Function& function, const std::vector<Arrays>& inputs,
                                  ask::Precision precision);

}  // namespace attn::judge
