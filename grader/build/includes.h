#pragma once
/// Which files a source includes, as far as reading it tells.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::submission {

/// The headers that a file includes before anything else, as they are written: <vector>, "masking.h".
std::vector<std::string> first_includes(std::string_view text);

/// All headers that a file includes, in either way or not at all under some #if. Nothing where it may read
/// other files by other means (a macro in an #include, __has_include, an assembler's .incbin, ..), which is
/// assumed of everything that looks unusual.
std::optional<std::vector<std::string>> all_includes(std::string_view text);

/// Those among `files` (relative to `folder`) that can play a part in compiling `sources`: these, and what
/// they include, one through the other; all of them where that cannot be told.
std::vector<std::filesystem::path> files_behind(const std::vector<std::string>& sources,
                                                const std::vector<std::filesystem::path>& files,
                                                const std::filesystem::path& folder);

}  // namespace attn::submission
