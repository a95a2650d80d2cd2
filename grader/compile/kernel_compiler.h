#pragma once
/// Compiles the kernels of a submission for the GPU emulator, in the compiler's sandbox.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/compile/build.h"
#include "grader/compile/compile_sandbox.h"
#include "grader/compile/source_reader.h"

namespace attn::compile {

/// Compiler flags for kernels, without the search paths of the contract's headers.
std::vector<std::string> kernel_flags(Kernels how);

/// What the student wrote, for messages: the sandbox has the rewritten files.
struct KernelSources {
    const std::filesystem::path& submission;
    const std::vector<std::filesystem::path>& files;  ///< relative to it
    SourceReader& reader;
};

/// Compiles the .cu file `name` of the sandbox to `object`: the reader rewrites it, g++ makes assembly, the
/// reader changes it, g++ assembles it. A text that the reader refuses is returned like a compiler's error.
worker::CommandResult compile_kernels(const CompileSandbox& sandbox, const std::string& name,
                                      const std::string& object, const KernelSources& sources,
                                      const Installation& installation, Kernels how);

}  // namespace attn::compile
