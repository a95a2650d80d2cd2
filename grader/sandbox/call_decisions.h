#pragma once
/// The grader's decisions about system calls of a worker that only a loader needs, such as opening a file.
/// The worker's filters cannot be changed once student code runs, so they do not know when loading ends.
/// Instead they let each such call wait for the parent (SECCOMP_RET_USER_NOTIF), which knows.

#include <optional>

#include "grader/base/file_descriptor.h"

namespace attn::worker {

class CallDecisions {
  public:
    /// `listener`: the descriptor that allow_calls_only() returned in the worker.
    explicit CallDecisions(FileDescriptor listener) : listener_(std::move(listener)) {}

    /// poll() reports POLLIN for this descriptor when a call waits; -1 after the worker has ended.
    int descriptor() const { return listener_.get(); }

    /// From now on no call is allowed any more.
    void end_loading() { loading_ = false; }

    /// Decides about one call that waits. While the worker loads, the call is made. Later, opening and
    /// looking at files fails with an error. Returns the number of any other call: then the worker has to be
    /// ended.
    std::optional<int> decide();

  private:
    FileDescriptor listener_;
    bool loading_ = true;
};

}  // namespace attn::worker
