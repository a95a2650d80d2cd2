#pragma once
/// The folder of a class:
///   class.toml      the rules, which the instructor edits
///   gradebook.db    everything else, in SQLite
///   attempts/12/    the files of an attempt; no name of a person occurs in them
///   pages/12.html   the report of an attempt, where `grader class show` has written it
///   spool/          endings of jobs that the gradebook has not taken in yet
///   lock            held by the one process that writes
/// Only the owner may enter the folder.

#include <filesystem>
#include <optional>
#include <string>

#include "grader/base/file_descriptor.h"

namespace attn::classes {

class ClassFolder {
  public:
    /// The folder that a command works on: `given`, or the nearest one upwards from the current folder that
    /// has a class.toml. Throws UserError if there is none. Takes the rights of other users away where they
    /// have some, and says so in `mended`.
    static ClassFolder find(const std::optional<std::string>& given);

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path gradebook() const { return path_ / "gradebook.db"; }
    std::filesystem::path spool() const { return path_ / "spool"; }
    std::filesystem::path attempt(std::int64_t number) const {
        return path_ / "attempts" / std::to_string(number);
    }
    std::filesystem::path page(std::int64_t number) const {
        return path_ / "pages" / (std::to_string(number) + ".html");
    }
    const std::string& mended() const { return mended_; }

  private:
    std::filesystem::path path_;
    std::string mended_;
};

/// Makes the folder of a class, which must not exist or be empty, with this class.toml.
void make_class_folder(const std::filesystem::path& folder, const std::string& class_file);

/// The right to write to a class, which one process has at a time. It ends with the process, however that
/// ends.
class ClassLock {
  public:
    /// Throws UserError at once if another process has it.
    explicit ClassLock(const ClassFolder& folder);

  private:
    FileDescriptor file_;
};

}  // namespace attn::classes
