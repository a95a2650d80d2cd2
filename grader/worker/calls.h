#pragma once
/// A call of a student's function, and its result.

#include <optional>
#include <string>
#include <vector>

#include "assignments/array.h"
#include "assignments/call.h"
#include "grader/base/outcome.h"
#include "grader/sandbox/sandbox.h"
#include "grader/worker/memory.h"

namespace attn::worker {

/// An output of the call, which the worker writes. If it is not wanted, the function gets an empty view.
struct OutputRequest {
    std::string name;
    Shape shape;
    ElementType type = ElementType::f32;
    bool wanted = true;
};

/// An input of the call. Without an array the function gets an empty view of this type and rank.
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

/// The outcome `passed` means only that the call returned. The judge decides whether the outputs are right.
struct CallResult {
    Outcome outcome = Outcome::passed;
    bool refused = false;  ///< it threw std::invalid_argument (the outcome is `threw`)
    std::string detail;    ///< one sentence for the student about the failure
    Arrays outputs;        ///< the wanted outputs, if the call returned
    std::string printed;   ///< what the function printed, shortened
    /// With a watched library, if the call failed: the addresses on the stack, innermost first, as
    /// "@{LIBRARY+0xOFFSET}@{..}". If it did not return, a line for each look; calls follow, as "#1,7,8"
    /// (trace_with_calls()).
    std::string trace = {};
    /// The lines of a failure: see grading/crash_lines.h.
    std::optional<SourceTrace> lines = {};
};

struct WorkerLimits {
    double time_s = 5;      ///< for one call, and for loading the library: see CallDeadline
    int output_kib = 1024;  ///< limit of the output printed in one call
    int threads = 1;
    bool emulated = false;  ///< the first library before the student's is the GPU emulator
    bool watched = false;   ///< the library is compiled with checks: see watched/watched_code.h
    bool sampled = false;   ///< the worker says every millisecond where the library's code is
    Limits process = {.processes = 1};
};

/// The result of a call that failed because of the student's code.
inline CallResult failure(Outcome outcome, std::string detail) {
    return {outcome, false, std::move(detail), {}, {}};
}

}  // namespace attn::worker
