#pragma once
/// Reads one function of a contract: its declaration, and what its comment says of the parameters.

#include <string>

#include "grader/contract/comments.h"
#include "grader/contract/contract.h"
#include "grader/contract/parser.h"

namespace attn::contract {

/// From `void` on. `comment`: the one above it. `contract`: the structs and enums that are declared so far.
Function read_function(const std::string& file, Parser& parser, const Token& comment,
                       const Definitions& definitions, const Contract& contract);

/// Throws unless the tensor has a shape with as many lengths as it has axes; `where`: where it is due.
void check_rank(const std::string& file, const Tensor& tensor, const std::string& where);

}  // namespace attn::contract
