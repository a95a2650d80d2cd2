#pragma once
/// Reads contract headers. A contract may contain includes of other contracts, enum classes, template structs
/// of views, and functions with comments (see comments.h). Anything else is an error with its line, so a
/// small reader of C++ is enough.

#include <functional>
#include <string>

#include "grader/contract/contract.h"

namespace attn::contract {

/// Returns the text of a file. Throws std::runtime_error if it cannot be read.
using Load = std::function<std::string(const std::string& path)>;

/// `path`: assignments/NN_x/x.h. Included contracts are in the folders next to its folder. Throws
/// ContractError.
Contract read_contract(const std::string& path, const Load& load);

}  // namespace attn::contract
