#pragma once
/// The parent's side of a worker: start it, ask it to call a function, get back arrays and an outcome.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assignments/array.h"
#include "assignments/call.h"
#include "grader/outcome.h"
#include "grader/worker/memory.h"
#include "grader/worker/process.h"
#include "grader/worker/protocol.h"

namespace attn::worker {

/// An output asked for: its numbers are the worker's to write. Not wanted: the function gets an empty view.
struct OutputRequest {
    std::string name;
    Shape shape;
    ElementType type = ElementType::f32;
    bool wanted = true;
};

/// A call: outputs, inputs, options, in the order of the function's parameters.
struct Call {
    std::string function;
    std::vector<OutputRequest> outputs;
    std::vector<const Array*> inputs;
    std::vector<double> options;
    Placement placement = Placement::ends_at_guard;
};

/// `passed` means only that the call came back; whether its outputs are right is the judge's to say.
struct CallResult {
    Outcome outcome = Outcome::passed;
    std::string detail;   ///< of a failure: one sentence for the student
    Arrays outputs;       ///< the wanted ones, after a call that came back
    std::string printed;  ///< what the function printed, cut
};

struct WorkerLimits {
    double time_s = 5;      ///< of one call, and of loading the library
    int output_kib = 1024;  ///< printed in one call
    Limits process;
};

/// Runs calls of one library in a worker process. A process that failed is replaced before the next call.
class Worker {
  public:
    /// `program` is the worker's executable. Throws std::system_error where no process can be started.
    Worker(std::filesystem::path program, std::filesystem::path library, WorkerLimits limits);
    ~Worker();

    CallResult call(const Call& call);
    WorkerLimits& limits() { return limits_; }

  private:
    struct Session;
    CallResult start();
    CallResult receive(std::uint32_t call, std::span<const Region> regions);
    CallResult judge_reply(const Reply& reply, std::span<const Region> regions) const;
    CallResult judge_ending(Ending ending) const;
    void reserve(std::size_t input_bytes, std::size_t output_bytes);

    std::filesystem::path program_, library_;
    WorkerLimits limits_;
    std::unique_ptr<SharedMemory> inputs_, outputs_;
    std::unique_ptr<Session> session_;
    std::uint32_t calls_ = 0;
};

}  // namespace attn::worker
