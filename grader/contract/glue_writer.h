#pragma once
/// Writes the code that follows from a contract: tables, adapters, declarations and wrappers. Each function
/// returns the text of one file.

#include <string>
#include <vector>

#include "grader/contract/contract.h"

namespace attn::contract {

/// x_cuda.h: the contract's functions on a GPU.
std::string cuda_header(const Contract& contract);

/// The table of functions that the worker calls in a student's library: functions_of_x.
std::string export_table(const Contract& contract);

/// The table of functions that run on a GPU, or on the emulator of one: kernels_of_x.
std::string kernel_table(const Contract& contract);

/// x_reference.h: the functions as plain loops, in the namespace cpu, as templates for float and double.
std::string reference_header(const Contract& contract);
/// x_instances.h: these templates for float and double. The end of reference/x.cpp includes it.
std::string reference_instances(const Contract& contract);
/// x_fast.h: the functions of the yardstick, in the namespace fast.
std::string fast_header(const Contract& contract);

/// The contract's functions, implemented by calls of the namespace cpu (the plain loops) or fast (the
/// yardstick).
std::string plain_adapter(const Contract& contract);
std::string fast_adapter(const Contract& contract);

/// A linker's version script that exports only the functions of these contracts.
std::string version_script(const std::vector<Contract>& contracts);

/// x_module.cpp: registers the functions, with names, shapes, options and references, and what the assignment's
/// recipes() and properties() give.
std::string module_unit(const Contract& contract);

/// x_yardstick.h: the yardstick's functions by name, for its tests.
std::string yardstick_list(const Contract& contract);

/// x_on_arrays.h: the reference's functions from Arrays to Arrays, for tests.
std::string array_wrappers(const Contract& contract);

}  // namespace attn::contract
