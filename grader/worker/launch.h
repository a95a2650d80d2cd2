#pragma once
/// The parent's side of a worker: starts it, sends it calls, and receives arrays and outcomes.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "grader/worker/calls.h"
#include "grader/worker/memory.h"
#include "grader/worker/process.h"
#include "grader/worker/protocol.h"
#include "grader/worker/timed.h"

namespace attn::worker {

/// Runs calls of functions of one library in a worker process. After a failed call the process is replaced.
class Worker {
  public:
    /// `program`: the worker's executable. `library`: the student's library. `exports`: the table of
    /// functions of its module. `preceding`: libraries that are loaded before the student's; their functions
    /// replace functions of the same name. `layers`: the sandbox layers; only tests leave some out.
    Worker(std::filesystem::path program, std::filesystem::path library, std::filesystem::path exports,
           WorkerLimits limits, std::vector<std::filesystem::path> preceding = {}, Layers layers = {});
    ~Worker();

    const WorkerLimits& limits() const { return limits_; }

    /// Runs one call. Throws std::system_error if no process can be started.
    CallResult call(const Call& call);

    /// Runs and times 1 to kMostCalls calls of one function in a row. Throws as call() does.
    Batch time(std::span<const Call> calls, const TimingOptions& options = {});

    /// The peak memory of the running process, with the arrays of its calls; 0 if no process runs.
    std::size_t peak_memory_kib() const;

  private:
    struct Session;
    CallResult start();
    void post(const Request& request);
    CallResult receive(std::uint32_t call, std::span<const Region> regions);
    void reserve(std::size_t input_bytes, std::size_t output_bytes);

    std::filesystem::path program_, library_, exports_;
    WorkerLimits limits_;
    std::vector<std::filesystem::path> preceding_;
    Layers layers_;
    std::unique_ptr<SharedMemory> inputs_, outputs_;
    std::unique_ptr<Session> session_;
    std::uint32_t calls_ = 0;
};

}  // namespace attn::worker
