#pragma once
/// How the writers lay out C++.

#include <string>
#include <vector>

#include "grader/contract/contract.h"

namespace attn::contract {

/// "a, b, c"
std::string listed(const std::vector<std::string>& words, const char* between = ", ");

/// `head` with the words behind it, `tail` behind them: on as many lines as it takes, aligned behind `head`.
std::string wrapped(const std::string& head, const std::vector<std::string>& words, const std::string& tail);

/// The function's parameters as they are declared: "TensorView<float, 2> Y".
std::vector<std::string> declared_parameters(const Function& function);

/// Their names.
std::vector<std::string> parameter_names(const Function& function);

/// The first line of a file that is written: where it comes from.
std::string written_from(const Contract& contract, const std::string& what);

/// The folder of the contract and its file: "02_self_attention/self_attention.h".
std::string path_in_assignments(const Contract& contract);

}  // namespace attn::contract
