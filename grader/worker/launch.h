#pragma once
/// The parent's side of a worker: starts it, sends it calls, and receives arrays and outcomes.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "grader/worker/calls.h"
#include "grader/worker/memory.h"
#include "grader/worker/process.h"
#include "grader/worker/protocol.h"
#include "grader/worker/timed.h"

namespace attn::worker {

/// The files that a worker process loads.
struct WorkerFiles {
    std::filesystem::path program;  ///< the worker's executable
    std::filesystem::path library;  ///< the student's
    std::filesystem::path exports;  ///< the tables of the functions of the contracts: see worker/exports.h
    /// Libraries loaded before the student's, in this order. Their functions replace the student's functions
    /// of the same name.
    std::vector<std::filesystem::path> loaded_first = {};
};

/// Runs calls of one library in a worker process. A process that failed is replaced before the next call.
class Worker {
  public:
    /// `layers` confine the process. Only tests leave out any of them.
    Worker(WorkerFiles files, WorkerLimits limits, Layers layers = {});
    ~Worker();

    const WorkerLimits& limits() const { return limits_; }

    /// The libraries that the worker opens: library k has the descriptor kFirstLibrary + k there.
    std::vector<std::filesystem::path> libraries() const;

    /// From now on a call may take this long at most.
    void limit_time(double seconds) { limits_.time_s = std::min(limits_.time_s, seconds); }

    /// Runs one call. Throws std::system_error if no process can be started.
    CallResult call(const Call& call);

    /// Runs and times 1 to kMostCalls calls of one function in a row. Throws as call() does.
    Batch time(std::span<const Call> calls, const TimingOptions& options = {});

    /// The traces of a sampled library since the last call of this function, a line for each.
    std::string take_samples();

    /// The peak memory of the running process, with the arrays of its calls; 0 if no process runs.
    std::size_t peak_memory_kib() const;

  private:
    struct Session;
    CallResult start();
    void post(const Request& request);
    CallResult receive(std::uint32_t call, std::span<const Region> regions);
    /// Asks a watched worker where it is, this often. The session's trace gets a line for each answer.
    void ask_for_trace(std::uint32_t call, int times);
    void reserve(std::size_t input_bytes, std::size_t output_bytes);

    WorkerFiles files_;
    WorkerLimits limits_;
    Layers layers_;
    std::unique_ptr<SharedMemory> inputs_, outputs_;
    std::unique_ptr<Session> session_;
    std::uint32_t calls_ = 0;
};

}  // namespace attn::worker
