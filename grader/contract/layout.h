#pragma once
/// Lays out the C++ that is written from contracts.

#include <string>
#include <vector>

#include "grader/contract/contract.h"

namespace attn::contract {

/// "a, b, c"
std::string listed(const std::vector<std::string>& words, const char* between = ", ");

/// `head`, the words and `tail`. Long lines are broken between words, and the next line is aligned with the
/// first word, or begins `more` spaces after it.
std::string wrapped(const std::string& head, const std::vector<std::string>& words, const std::string& tail,
                    std::size_t more = 0);

/// The function's parameters as they are declared: "TensorView<float, 2> Y".
std::vector<std::string> declared_parameters(const Function& function);

/// A parameter's type with another number type in the place of float: "TensorView<const T, 2>".
std::string with_number(std::string type, const std::string& number);

/// The names of the function's parameters.
std::vector<std::string> parameter_names(const Function& function);

/// The first line of a written file, which says where the file comes from.
std::string written_from(const Contract& contract, const std::string& what);

/// The folder of the contract and its file: "02_self_attention/self_attention.h".
std::string path_in_assignments(const Contract& contract);

}  // namespace attn::contract
