#pragma once
/// Headers compiled ahead: most of the time to compile a submission goes into headers that are always the
/// same. A file that begins by including them is compiled with them in front, which changes nothing but the
/// time.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/installation.h"

namespace attn::submission {

/// Compiles the preludes into installation.preludes, those that are not there or not of these headers, this
/// compiler and these flags. The build does this once. Throws std::runtime_error where the compiler fails.
void make_preludes(const Installation& installation);

/// The folder with the prelude for a file: the largest of those all of whose headers the file includes before
/// anything else, directly or, for tensor.h, by a header of the contract. `submission`: where the file lies;
/// its own headers go before the contract's. Empty where there is none, where it is out of date, and where
/// who compiles could not read it.
std::filesystem::path prelude_for(std::string_view text, const std::filesystem::path& submission,
                                  const Installation& installation);

/// What the compiler has to be told. It falls back on the headers' text, with a warning, where it cannot use
/// what was compiled.
std::vector<std::string> prelude_flags(const std::filesystem::path& prelude);

/// Whether who compiles gets to a folder: as root's compiler runs as nobody, all above it have to be open.
bool is_reachable(const std::filesystem::path& folder);

/// Which program this is: its path, size and time.
std::string identity_of(const std::filesystem::path& program);

}  // namespace attn::submission
