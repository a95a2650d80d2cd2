#pragma once
/// The parent's side of a worker: start it, ask it to call a function, get back arrays and an outcome.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "grader/worker/calls.h"
#include "grader/worker/memory.h"
#include "grader/worker/process.h"

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

  private:
    struct Session;
    CallResult start();
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
