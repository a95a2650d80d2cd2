#pragma once
/// The files of a download, whether it is a folder or an archive.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/classes/records.h"
#include "grader/intake/intake_folder.h"

namespace attn::classes {

/// A file or folder of a download. Its path has "/" between names, no "." and no empty name.
struct DownloadEntry {
    std::string path;
    bool folder = false;
    bool plain = true;  ///< a folder or a regular file; links, pipes and devices are not
    std::optional<Moment> time;
    std::size_t position = 0;  ///< in the archive
    bool crowded = false;      ///< in a folder whose other files are not listed: see list_entries()
};

struct DownloadEntries {
    std::filesystem::path given;
    bool archive = false;
    std::vector<DownloadEntry>
        entries;  ///< in the order in which they are stored or, of a folder, of their names
    std::vector<std::string> notes;
};

/// Whether a name at the top of a download is that of a file of an operating system or a tool.
bool is_leftover(std::string_view name);

/// How many entries are listed.
struct EntryLimits {
    std::size_t all = 200000;    ///< of an archive; more are listed only as `of_one` says
    std::size_t of_one = 20000;  ///< in a folder at the top, which may be a student's
};

/// Lists a folder, a .zip or a .tar, also compressed by gzip, xz or bzip2. The inside of .git folders is left out. One
/// student's files cannot keep the others' from being read: of a folder with too many files some are listed, all of them `crowded`. Throws
/// UserError if there is no such download, it cannot be read, or more than `all` files and folders lie beside each
/// other at its top.
DownloadEntries list_entries(const std::filesystem::path& given, const EntryLimits& limits = {});

/// What to do with the files of a download. Both are called with an index into the entries.
struct EntryReader {
    std::function<bool(std::size_t)> wanted;
    std::function<void(std::size_t, const intake::NextBytes&)> read;
    /// A file that cannot be read, because its part of the archive is damaged or for lack of permission.
    std::function<void(std::size_t, const std::string& why)> broken;
};

/// Reads all wanted files. A damaged file does not keep the following ones from being read.
void read_entries(const DownloadEntries& download, const EntryReader& reader);

}  // namespace attn::classes
