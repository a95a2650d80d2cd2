#pragma once
/// Calls against the clock. The clock is the parent's: it reads how much processor time the worker has used
/// between two moments at which the worker stands still.

#include <vector>

#include "grader/worker/calls.h"

namespace attn::worker {

/// What may be changed for a batch. The project's own tests take guards away to see what they hold off.
struct Timed {
    bool rehearsed = false;             ///< all the same, but that no function is called
    bool stopped_while_written = true;  ///< else the worker may compute as soon as inputs are there
    bool stopped_before_read = true;    ///< else it may answer first and compute then
    double dawdle_s = 0;                ///< of the parent, before the clock starts and before it reads
};

/// What came of a batch. Times are those of all its calls together, and of a message each way.
struct Batch {
    CallResult call;               ///< the first that failed; otherwise passed, and of no meaning
    std::vector<Arrays> outputs;   ///< of each call; empty where one failed
    double cpu_s = 0, wall_s = 0;  ///< processor time of all threads; time on the wall
    /// The machine itself was taken away in between: time on the wall went by in which the worker neither ran
    /// nor waited for its turn. In a virtual machine the processor time is wrong then, too: what the host
    /// says that it took is not what it took in these milliseconds.
    bool disturbed = false;
};

}  // namespace attn::worker
