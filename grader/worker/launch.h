#pragma once
/// The parent's side of a worker: start it, ask it to call a function, get back arrays and an outcome.

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

/// Runs calls of one library in a worker process. A process that failed is replaced before the next call.
class Worker {
  public:
    /// `program`: the worker's executable; `library`: the student's; `exports`: the table of its module's
    /// functions; `before`: libraries loaded ahead of the student's, whose functions are taken in place of
    /// his of the same name; `layers`: that confine it, all but for tests.
    Worker(std::filesystem::path program, std::filesystem::path library, std::filesystem::path exports,
           WorkerLimits limits, std::vector<std::filesystem::path> before = {}, Layers layers = {});
    ~Worker();

    const WorkerLimits& limits() const { return limits_; }

    /// Throws std::system_error where no process can be started.
    CallResult call(const Call& call);

    /// The same for 1 to kMostCalls calls of one function in a row, timed. Throws as call() does.
    Batch time(std::span<const Call> calls, const Timed& how = {});

    /// The most memory that the running process has held at once, with the arrays of its calls; 0 where none
    /// runs.
    std::size_t peak_memory_kib() const;

  private:
    struct Session;
    CallResult start();
    void post(const Request& request);
    CallResult receive(std::uint32_t call, std::span<const Region> regions);
    void reserve(std::size_t input_bytes, std::size_t output_bytes);

    std::filesystem::path program_, library_, exports_;
    WorkerLimits limits_;
    std::vector<std::filesystem::path> before_;
    Layers layers_;
    std::unique_ptr<SharedMemory> inputs_, outputs_;
    std::unique_ptr<Session> session_;
    std::uint32_t calls_ = 0;
};

}  // namespace attn::worker
