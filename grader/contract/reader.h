#pragma once
/// Reads contract headers. What may stand in one: includes of other contracts, enum classes, template structs
/// of views, and functions with their comments (comments.h says what is read there). The reader of C++ is
/// small because a contract is: anything else is an error that names the line.

#include <functional>
#include <string>

#include "grader/contract/contract.h"

namespace attn::contract {

/// The text of a file. Throws std::runtime_error where there is none.
using Load = std::function<std::string(const std::string& path)>;

/// `path`: assignments/NN_x/x.h; contracts that it includes are found beside its folder. Throws
/// ContractError.
Contract read_contract(const std::string& path, const Load& load);

}  // namespace attn::contract
