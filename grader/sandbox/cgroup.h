#pragma once
/// A control group (version 2). It limits the memory and the number of processes of a child together with all
/// processes that it starts, and ends them together.

#include <filesystem>
#include <string>

#include "grader/base/file_descriptor.h"

namespace attn::worker {

/// The folder in which groups can be created. If it is empty, `why` says what is missing.
struct CgroupParent {
    std::filesystem::path folder;
    std::string why;
};

/// Tries the grader's own group, its parent and the root group. `root`: where the file system of groups is
/// mounted.
CgroupParent find_cgroup_parent(const std::filesystem::path& root = "/sys/fs/cgroup");

/// A control group. The destructor ends its processes and removes it.
class Cgroup {
  public:
    /// Throws std::runtime_error if the group cannot be limited.
    Cgroup(const std::filesystem::path& parent, int memory_mib, int processes);
    ~Cgroup();
    Cgroup(const Cgroup&) = delete;
    Cgroup& operator=(const Cgroup&) = delete;

    /// Moves the calling process into the group. Makes system calls only.
    [[nodiscard]] bool enter() const noexcept;

  private:
    std::filesystem::path folder_;
    FileDescriptor members_;
};

}  // namespace attn::worker
