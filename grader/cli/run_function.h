#pragma once
/// Calls one function of the contract: the reference's, the yardstick's or the student's.

#include <optional>
#include <string>
#include <vector>

#include "grader/ask/check.h"
#include "grader/rubric/rubric.h"

namespace attn::cli {

/// A function and the rubric of its assignment.
struct Target {
    const ask::Function* function;
    const rubric::Rubric* rubric;
};

/// Throws UsageError with a list of all functions if there is none of this name.
Target find_function(const std::vector<rubric::Rubric>& rubrics, const std::string& name);

/// The value of the option --impl, and the submission of the student.
struct Implementation {
    std::string name = "reference";  ///< or plain, fast, student
    std::string submission = "student";
};

/// Throws UsageError for an unknown name, and UserError if it is `fast` and the assignment has no yardstick.
void require_offered(const Implementation& implementation, const Target& target);

/// The outputs of the function, in float where the contract says float. Nothing if there are none; then the
/// reason was printed to standard error.
std::optional<Arrays> run_function(const Implementation& implementation, const Target& target,
                                   const std::vector<rubric::Rubric>& rubrics, const Arrays& inputs,
                                   const std::vector<std::string>& wanted);

}  // namespace attn::cli
