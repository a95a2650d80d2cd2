#pragma once
/// Finds which files of a submission a source may read when it is compiled.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/compile/source_facts.h"

namespace attn::compile {

/// The regular files below a folder, relative to it and sorted; if `extension` is given, only those with it.
/// Links are left out.
std::vector<std::filesystem::path> regular_files(const std::filesystem::path& folder,
                                                 const std::string& extension = {});

/// A source, or a header that it includes, may have this many bytes, and all of them together four times as
/// many. Files of this size are read in a few milliseconds.
inline constexpr std::size_t kMostSourceBytes = std::size_t{1} << 20, kMostSourceBytesTogether = 4 << 20;

/// What compiling some sources may read.
struct SourceScan {
    /// The sources, and the files that they include directly or indirectly; or all files of the submission,
    /// if one of these may read files by other means.
    std::vector<std::filesystem::path> files;
    bool all_files = false;  ///< whether `files` are all files for that reason
    std::string refused;     ///< a message for the student, if a limit is exceeded
};

/// The facts of a file, given by its path; nothing if it cannot be read within the limits.
using ReadFacts = std::function<std::optional<SourceFacts>(const std::filesystem::path& file)>;

/// Scans `sources`. `files`: the files of the submission, relative to `folder`; no other file is read, so no
/// path is made of a student's text. `read` is asked once for each file that is reached.
SourceScan scan_sources(const std::vector<std::string>& sources,
                        const std::vector<std::filesystem::path>& files, const std::filesystem::path& folder,
                        const ReadFacts& read);

}  // namespace attn::compile
