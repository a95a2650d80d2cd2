#pragma once
/// Timed calls. The parent measures the time: it reads how much processor time the worker has used between
/// two moments at which the worker is stopped.

#include <vector>

#include "grader/worker/calls.h"

namespace attn::worker {

/// Options of a timed batch. Tests switch protections off to show which cheats they prevent.
struct TimingOptions {
    bool rehearsed = false;             ///< run all steps, but call no function: measures the overhead
    bool stopped_while_written = true;  ///< otherwise the worker could compute before the clock starts
    bool stopped_before_read = true;    ///< otherwise the worker could reply first and compute later
    double parent_delay_s = 0;  ///< the parent waits this long before the clock starts and before it reads
};

/// The result of a batch. The times are those of all its calls together, with one message each way.
struct Batch {
    CallResult call;               ///< the first call that failed; otherwise only the outcome `passed`
    std::vector<Arrays> outputs;   ///< of each call; empty if a call failed
    double cpu_s = 0, wall_s = 0;  ///< processor time of all threads; wall-clock time
    /// The machine itself was interrupted: wall-clock time passed in which the worker neither ran nor waited
    /// for a processor. In a virtual machine the processor time is then wrong too, because the host's report
    /// of stolen time does not match these milliseconds.
    bool disturbed = false;
};

}  // namespace attn::worker
