#pragma once
/// Whose functions a program used: said at its end.

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "grader/rubric/rubric.h"
#include "grader/training/functions.h"

namespace attn::trained {

/// The names of all functions of the contract.
std::set<std::string> all_functions(const std::vector<rubric::Rubric>& rubrics);

/// The functions that were called, with their assignments.
std::vector<Origin> origins_with_assignments(const Functions& functions,
                                             const std::function<int(const std::string&)>& assignment_of);

/// Prints a line for each function.
void print(const std::vector<Origin>& origins);

}  // namespace attn::trained
