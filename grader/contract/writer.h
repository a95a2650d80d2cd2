#pragma once
/// Writes what only repeats a contract: tables, adapters, declarations and wrappers. Each function returns
/// the text of one file.

#include <string>

#include "grader/contract/contract.h"

namespace attn::contract {

/// x_cuda.h: the same functions on a GPU.
std::string cuda_header(const Contract& contract);

/// The table of functions that the worker loads behind a student's library.
std::string export_table(const Contract& contract);

/// The same for functions that run on a GPU: for the emulator, where it is the worker's, and for a real GPU,
/// where it is called kernels_of_x.
std::string kernel_table(const Contract& contract);

/// The contract's functions, answered by those of a namespace: cpu (the plain loops) or fast.
std::string plain_adapter(const Contract& contract);
std::string fast_adapter(const Contract& contract);

/// A linker's version script that lets these functions be called, and nothing else.
std::string version_script(const Contract& contract);

/// contract_functions() for the questions of an assignment: names, shapes, options and truth.
std::string function_list(const Contract& contract);

/// x_yardstick.h: the yardstick's functions by name, for its tests.
std::string yardstick_list(const Contract& contract);

/// x_on_arrays.h: the reference's functions from Arrays to Arrays, for tests.
std::string array_wrappers(const Contract& contract);

}  // namespace attn::contract
