#pragma once
/// A control group (version 2): memory and processes of a child and of all that it starts, counted together
/// and ended together.

#include <filesystem>
#include <string>

#include "grader/worker/file_descriptor.h"

namespace attn::worker {

/// The folder in which groups can be made; empty where there is none, and then `why` says what is missing.
struct CgroupPlace {
    std::filesystem::path folder;
    std::string why;
};

/// Looks for it once: the grader's own group, the one above it, the topmost. `root`: where the file system of
/// groups is mounted.
CgroupPlace find_cgroup_place(const std::filesystem::path& root = "/sys/fs/cgroup");

/// A group that is ended and removed with this object.
class Cgroup {
  public:
    /// Throws std::runtime_error where it cannot be made.
    Cgroup(const std::filesystem::path& place, int memory_mib, int processes);
    ~Cgroup();
    Cgroup(const Cgroup&) = delete;
    Cgroup& operator=(const Cgroup&) = delete;

    /// Puts the calling process in. Makes system calls only.
    [[nodiscard]] bool enter() const noexcept;

  private:
    std::filesystem::path folder_;
    FileDescriptor members_;
};

}  // namespace attn::worker
