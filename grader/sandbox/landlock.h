#pragma once
/// Landlock: restricts a process to named files, and denies TCP connections and signals to outside processes.

#include <filesystem>
#include <vector>

#include "grader/base/file_descriptor.h"

namespace attn::worker {

/// The files that a process may access. A folder stands for everything below it.
struct FileAccess {
    std::vector<std::filesystem::path> readable;  ///< and executable
    std::vector<std::filesystem::path> writable;  ///< files, and folders in which files may be created
};

/// The version of the kernel's Landlock interface; 0 if there is none.
int landlock_version() noexcept;

/// Prepares rules, for enter_landlock(). Skips paths that do not exist. Throws std::system_error if there is
/// no Landlock.
FileDescriptor make_landlock_rules(const FileAccess& access);

/// Applies the rules to the calling process; this cannot be undone. Makes system calls only.
[[nodiscard]] bool enter_landlock(const FileDescriptor& rules) noexcept;

}  // namespace attn::worker
