#pragma once
/// Precompiled headers ("preludes"). Most of the time to compile a submission goes into headers that are
/// always the same. If a file begins by including them, the compiler loads them precompiled, which saves time
/// and changes nothing else.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/installation.h"
#include "grader/emulator/compile.h"

namespace attn::compile {

/// Compiles the preludes into installation.preludes, unless they are there and up to date: made of the same
/// headers, by the same compiler, with the same flags. The build of the project does this once. Throws
/// std::runtime_error if the compiler fails.
void make_preludes(const Installation& installation);

/// The folder of the prelude for a source that includes these headers before any other code: the largest
/// prelude all of whose headers are among them. (tensor.h is included by the contract's headers.) `submission`: the folder
/// of the source; its own headers take precedence over the contract's. Empty if no prelude fits, if it is out
/// of date, or if the compiler could not read it.
std::filesystem::path prelude_for(const std::vector<std::string>& headers,
                                  const std::filesystem::path& submission, const Installation& installation);

/// The folder of the prelude for .cu files: emulator::kFirstHeader, which every one of them reads first. It is made when it is
/// used for the first time, because most students have no kernels yet. Empty if the compiler could not read it, or if it
/// cannot be made here.
std::filesystem::path kernel_prelude(emulator::Mode mode, const Installation& installation);

/// The header of a prelude, to include it; empty if there is none.
std::filesystem::path prelude_header(const std::filesystem::path& prelude);

/// Compiler flags that use a prelude. If the compiler cannot load it, it reads the text of the headers and
/// prints a warning.
std::vector<std::string> prelude_flags(const std::filesystem::path& prelude);

/// Whether the compiler can read a folder. If the grader is root, the compiler runs as the user `nobody`, so
/// all parent folders have to be open to other users.
bool is_readable_by_compiler(const std::filesystem::path& folder);

/// Identifies a program by its path, size and time of change.
std::string program_fingerprint(const std::filesystem::path& program);

}  // namespace attn::compile
