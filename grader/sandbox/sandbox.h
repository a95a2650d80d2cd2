#pragma once
/// The one place where a child process gives up rights before foreign code runs in it.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/sandbox/cgroup.h"
#include "grader/sandbox/landlock.h"
#include "grader/sandbox/layers.h"
#include "grader/sandbox/limits.h"
#include "grader/sandbox/system_calls.h"

namespace attn::worker {

/// What a process may do.
struct Confinement {
    Limits limits;
    FileAccess files;
    bool compiler = false;  ///< it may start processes; a worker puts its system calls away itself
    Layers layers = Layers::for_own_programs();
};

/// Made by the parent, entered by the child. Layers that this machine does not have are left out: see
/// layers_here().
class Sandbox {
  public:
    explicit Sandbox(const Confinement& confinement);

    /// Called in the child between fork and exec, so it makes system calls only. Descriptors above
    /// `last_descriptor` are closed by exec. False where something was refused.
    [[nodiscard]] bool enter(int last_descriptor) const noexcept;

  private:
    Limits limits_;
    Layers layers_;
    std::unique_ptr<Cgroup> cgroup_;
    std::optional<FileDescriptor> file_rules_;
    std::vector<sock_filter> filter_;
};

}  // namespace attn::worker
