#pragma once
/// Writes zip archives.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/classes/records.h"

struct archive;  // of libarchive

namespace attn::classes {

struct ZipEntry {
    std::string name;  ///< with "/" between folders
    std::string bytes;
    std::optional<Moment> when = std::nullopt;
};

/// Writes the entries one by one, so that a class's feedback is never in memory as a whole.
class ZipFile {
  public:
    /// Throws UserError if the file cannot be made.
    explicit ZipFile(const std::filesystem::path& file);
    ~ZipFile();
    ZipFile(const ZipFile&) = delete;
    ZipFile& operator=(const ZipFile&) = delete;

    void add(const ZipEntry& entry);

    /// Completes the archive. Without it, the file is not usable. Throws UserError, as add() does.
    void close();

  private:
    void require(bool done, const char* what);

    std::filesystem::path file_;
    struct archive* archive_;
};

}  // namespace attn::classes
