#pragma once
/// The only place where a child process gives up rights before untrusted code runs in it.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/sandbox/cgroup.h"
#include "grader/sandbox/file_view.h"
#include "grader/sandbox/landlock.h"
#include "grader/sandbox/layers.h"
#include "grader/sandbox/limits.h"
#include "grader/sandbox/system_calls.h"

namespace attn::worker {

/// The rights of a process.
struct Confinement {
    Limits limits;
    FileAccess files;
    bool compiler = false;  ///< it may start processes; only a worker filters its own system calls
    Layers layers = Layers::for_own_programs();
};

/// The parent creates it, the child enters it. Skips layers that this machine does not have: see
/// layers_here().
class Sandbox {
  public:
    explicit Sandbox(const Confinement& confinement);

    /// The child calls it between fork and exec, so it makes system calls only. Descriptors above
    /// `last_descriptor` will be closed by exec. False if a layer was refused.
    [[nodiscard]] bool enter(int last_descriptor) const noexcept;

  private:
    Limits limits_;
    Layers layers_;
    std::unique_ptr<Cgroup> cgroup_;
    std::optional<FileView> file_view_;
    std::optional<FileDescriptor> file_rules_;
    std::vector<sock_filter> filter_;
};

}  // namespace attn::worker
