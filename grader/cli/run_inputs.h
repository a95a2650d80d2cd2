#pragma once
/// The inputs and options of `grader run`, from its command line.

#include <map>
#include <string>
#include <vector>

#include "grader/ask/check.h"
#include "grader/cli/options.h"

namespace attn::cli {

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

}  // namespace attn::cli
