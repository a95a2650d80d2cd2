#pragma once
/// An engine runs jobs: on this machine, or on a cluster. It never opens the gradebook. Jobs leave their
/// endings in the spool, CLASS/spool, and the process that holds the lock of the class takes them in.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "grader/classes/engine/job.h"

namespace attn::classes {

class Engine {
  public:
    virtual ~Engine() = default;

    /// Runs all jobs and returns when each has an ending in the spool. Calls `ended` in the caller's thread
    /// once for each job, soon after its ending has appeared. Either no job of a call measures speed, and
    /// they run in parallel, or all of them do: then each has a machine for itself. A job that the engine
    /// loses (a node that dies) is started again by the engine, or ends as a fault. Throws Interrupted when
    /// the user ends the program; jobs without an ending are run again by the next start.
    virtual void run(const std::vector<Job>& jobs, const std::function<void(const Job& job)>& ended) = 0;
};

/// Runs jobs on this machine, at most `at_once` at a time; those that measure speed one after the other.
std::unique_ptr<Engine> local_engine(const std::filesystem::path& spool, const std::filesystem::path& grader,
                                     int at_once);

}  // namespace attn::classes
