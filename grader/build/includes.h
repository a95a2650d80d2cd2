#pragma once
/// Finds which files a source includes, by reading its text.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::submission {

/// The headers that a file includes before any other code, as written: <vector>, "masking.h".
std::vector<std::string> leading_includes(std::string_view text);

/// All headers that a file includes, with < > or quotes, even under an #if. Returns nothing if the file may
/// read files by other means: a macro in an #include, __has_include, .incbin in an asm statement. Any unusual
/// text is assumed to do so.
std::optional<std::vector<std::string>> all_includes(std::string_view text);

/// Those of `files` (relative to `folder`) that compiling `sources` may read: the sources, and what they
/// include directly or indirectly. Returns all files if that cannot be determined.
std::vector<std::filesystem::path> files_that_may_be_included(const std::vector<std::string>& sources,
                                                              const std::vector<std::filesystem::path>& files,
                                                              const std::filesystem::path& folder);

}  // namespace attn::submission
