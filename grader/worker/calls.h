#pragma once
/// A call of a student's function and what came of it, as values.

#include <string>
#include <vector>

#include "assignments/array.h"
#include "assignments/call.h"
#include "grader/base/outcome.h"
#include "grader/sandbox/sandbox.h"
#include "grader/worker/memory.h"

namespace attn::worker {

/// An output asked for: its numbers are the worker's to write. Not wanted: the function gets an empty view.
struct OutputRequest {
    std::string name;
    Shape shape;
    ElementType type = ElementType::f32;
    bool wanted = true;
};

/// An input handed over. Without an array the function gets an empty view of this type and rank.
struct Input {
    const Array* array = nullptr;
    ElementType type = ElementType::f32;
    int rank = 0;
};

/// A call: outputs, inputs, options, in the order of the function's parameters.
struct Call {
    std::string function;
    std::vector<OutputRequest> outputs;
    std::vector<Input> inputs;
    std::vector<double> options;
    Placement placement = Placement::ends_at_guard;
};

/// `passed` means only that the call came back; whether its outputs are right is the judge's to say.
struct CallResult {
    Outcome outcome = Outcome::passed;
    bool refused = false;  ///< it threw std::invalid_argument (the outcome is `threw`)
    std::string detail;    ///< of a failure: one sentence for the student
    Arrays outputs;        ///< the wanted ones, after a call that came back
    std::string printed;   ///< what the function printed, cut
};

struct WorkerLimits {
    double time_s = 5;      ///< of one call, and of loading the library
    int output_kib = 1024;  ///< printed in one call
    int threads = 1;
    bool emulated = false;  ///< the first library ahead of the student's is the emulator of a GPU
    Limits process = {.processes = 1};
};

/// A call that failed by the student's fault.
inline CallResult failure(Outcome outcome, std::string detail) {
    return {outcome, false, std::move(detail), {}, {}};
}

}  // namespace attn::worker
