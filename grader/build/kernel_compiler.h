#pragma once
/// Compiles the kernels of a submission for the GPU emulator, in the compiler's sandbox.

#include <string>
#include <vector>

#include "grader/build/build.h"
#include "grader/build/compile_sandbox.h"

namespace attn::submission {

/// Compiler flags for kernels, without the search paths of the contract's headers.
std::vector<std::string> kernel_flags(Kernels how);

/// Compiles the .cu file `name` of the sandbox to `object`: two runs of g++, with the emulator's own pass
/// between them. An error of the emulator's pass is returned like a compiler's error.
worker::CommandResult compile_kernels(const CompileSandbox& sandbox, const std::string& name,
                                      const std::string& object, const Installation& installation,
                                      Kernels how);

}  // namespace attn::submission
