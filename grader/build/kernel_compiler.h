#pragma once
/// Compiling a submission's kernels for the emulator of a GPU, where submissions are compiled.

#include <string>
#include <vector>

#include "grader/build/build.h"
#include "grader/build/compile_sandbox.h"

namespace attn::submission {

/// What they are compiled with, beside where headers lie.
std::vector<std::string> kernel_flags(Kernels how);

/// Compiles the .cu file `name` of the workshop to `object`, in two passes of g++ with the emulator's own
/// between them. What the emulator refuses comes back as a compiler's error.
worker::CommandResult compile_kernels(const CompileSandbox& workshop, const std::string& name,
                                      const std::string& object, const Installation& installation,
                                      Kernels how);

}  // namespace attn::submission
