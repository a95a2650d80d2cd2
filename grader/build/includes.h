#pragma once
/// Finds which files a source includes, by reading its text.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::build {

/// The headers that a file includes before any other code, as written: <vector>, "masking.h".
std::vector<std::string> leading_includes(std::string_view text);

/// All headers that a file includes, with < > or quotes, even under an #if. Returns nothing if the file may
/// read files by other means: a macro in an #include, __has_include, .incbin in an asm statement. Any unusual
/// text is assumed to do so.
std::optional<std::vector<std::string>> all_includes(std::string_view text);

/// The regular files below a folder, relative to it and sorted; if `extension` is given, only those with it.
/// Links are left out.
std::vector<std::filesystem::path> regular_files(const std::filesystem::path& folder,
                                                 const std::string& extension = {});

/// A source, or a header that it includes, may have this many bytes, and all of them together four times as
/// many. Files of this size are read in a few milliseconds.
inline constexpr std::size_t kMostSourceBytes = std::size_t{1} << 20, kMostSourceBytesTogether = 4 << 20;

/// The text of a file. A file that cannot be read counts as empty, because the compiler will report it.
std::string text_of(const std::filesystem::path& file);

/// What compiling some sources may read.
struct SourceScan {
    /// The sources, and the files that they include directly or indirectly; or all files of the submission,
    /// if one of these may read files by other means.
    std::vector<std::filesystem::path> files;
    bool all_files = false;  ///< whether `files` are all files for that reason
    std::string too_large;   ///< a message for the student, if a limit is exceeded
};

/// Scans `sources`. `files`: the files of the submission, relative to `folder`; no other file is opened, so
/// no path is made of a student's text. Takes time in proportion to the text.
SourceScan scan_sources(const std::vector<std::string>& sources,
                        const std::vector<std::filesystem::path>& files, const std::filesystem::path& folder);

}  // namespace attn::build
