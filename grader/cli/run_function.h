#pragma once
/// The function that `grader run` calls (the reference's, the yardstick's or the student's), and its inputs.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/ask/module.h"
#include "grader/cli/options.h"
#include "grader/rubric/rubric.h"

namespace attn::cli {

/// A function and the rubric of its assignment.
struct Target {
    const ask::Function* function;
    const rubric::Rubric* rubric;
};

/// Throws UsageError, with the name that may be meant, if there is no function of this name.
Target find_function(const std::vector<rubric::Rubric>& rubrics, const std::string& name);

/// The functions that the option "function" names; if it names none, those of --course and --assignment.
std::vector<Target> targets_in(const po::variables_map& values, const std::vector<rubric::Rubric>& rubrics);

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

/// The NAME=VALUE arguments of an option as a map. If `name_alone` is true, NAME stands for an empty value.
std::map<std::string, std::string> pairs(const po::variables_map& values, const char* option,
                                         bool name_alone = false);

template <class T>
std::vector<std::string> names(const std::vector<T>& parameters) {
    std::vector<std::string> all;
    for (const T& parameter : parameters) all.push_back(parameter.name);
    return all;
}

/// Throws UsageError for a name that the function does not have.
void require_known(const ask::Function& function, const std::vector<std::string>& known, const char* what,
                   const std::map<std::string, std::string>& given);

/// The inputs and options of a call. An input is a .npy file or, in brackets, its numbers: "[[1, 2], [3, 4]]".
/// Optional inputs may be left out. Throws UsageError for values outside the contract's ranges, and for sizes
/// that make an output larger than 1 GiB.
Arrays read_inputs(const ask::Function& function, const std::map<std::string, std::string>& arrays,
                   const std::map<std::string, std::string>& options);

/// A sentence for each input that contains NaN or infinity.
std::vector<std::string> notes_on(const Arrays& inputs);

/// Inputs of few numbers at lengths that differ where they meet in one array, without the optional inputs.
/// Their numbers are small and whole. A function that only moves numbers gets 1, 2, 3, .., so that each can
/// be followed. Always the same for the same contract.
Arrays example_inputs(const ask::Module& module, const ask::Function& function);

}  // namespace attn::cli
