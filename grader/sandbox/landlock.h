#pragma once
/// Landlock: a process that sees no file but those named, opens no TCP connection and signals nobody outside.

#include <filesystem>
#include <vector>

#include "grader/worker/file_descriptor.h"

namespace attn::worker {

/// What may be reached. A folder stands for all below it.
struct FileAccess {
    std::vector<std::filesystem::path> readable;  ///< and executable
    std::vector<std::filesystem::path> writable;  ///< folders, in which files may be made, and files
};

/// The version of Landlock's interface that the kernel has; 0 where there is none.
int landlock_version() noexcept;

/// Rules to be entered later. Paths that do not exist are left out. Throws std::system_error where there is
/// no Landlock.
FileDescriptor make_landlock_rules(const FileAccess& access);

/// Puts the calling process under the rules, for good. Makes system calls only.
[[nodiscard]] bool enter_landlock(const FileDescriptor& rules) noexcept;

/// What every program needs: the system's libraries and programs, read-only.
std::vector<std::filesystem::path> system_files();

}  // namespace attn::worker
