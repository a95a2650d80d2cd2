#pragma once
/// Refuses code that the emulator could not watch. It looks at what g++ has compiled, because a source has
/// many ways to write the same: macros put words together, and attributes hold text for the assembler.

#include <optional>
#include <string_view>

namespace attn::emulator {

/// Throws std::runtime_error, with what to write instead, for
///   - a function that is compiled without the calls before its accesses (no_sanitize),
///   - a copy that g++ makes itself, without a call (__builtin_memcpy), and code that is none of C++: assembly
///     in a statement, at the top, or after the name of a section,
///   - a definition of a function that these calls reach.
/// `functions`: what -fdump-tree-optimized-asmname writes of the same compilation, or nothing for a fast
/// build. Then the first two points are not looked for.
void refuse_unwatched(std::string_view assembly, const std::optional<std::string_view>& functions);

/// Throws std::runtime_error for the use of a function that is there for the program that hosts the emulator,
/// such as those that begin and end a call, or of a search for one by its name.
void refuse_functions_of_the_host(std::string_view assembly);

}  // namespace attn::emulator
