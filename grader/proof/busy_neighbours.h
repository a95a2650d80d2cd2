#pragma once
/// A machine that is busy with other work.

#include <vector>

#include <sys/types.h>

namespace attn::proof {

/// As many processes that compute and read memory as the machine has processors, from construction to
/// destruction.
class BusyNeighbours {
  public:
    /// Throws std::runtime_error if a process cannot be started.
    BusyNeighbours();
    ~BusyNeighbours();
    BusyNeighbours(const BusyNeighbours&) = delete;
    BusyNeighbours& operator=(const BusyNeighbours&) = delete;

  private:
    std::vector<pid_t> neighbours_;
};

}  // namespace attn::proof
