#pragma once
/// Reads one function of a contract: its declaration, and the shapes and defaults in its comment.

#include <string>

#include "grader/contract/comments.h"
#include "grader/contract/contract.h"
#include "grader/contract/parser.h"

namespace attn::contract {

/// The next token is `void`. `comment`: the comment above it. `contract`: the structs and enums that are
/// declared so far. Throws ContractError.
Function read_function(const std::string& file, Parser& parser, const Token& comment,
                       const Definitions& definitions, const Contract& contract);

/// Throws ContractError unless the tensor has a shape with one length for each axis. `where`: where the shape
/// is expected, for the message.
void check_rank(const std::string& file, const Tensor& tensor, const std::string& where);

}  // namespace attn::contract
