#pragma once
/// Repeats a check of an earlier report and keeps all its numbers. `grader explain` shows them.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assignments/array.h"
#include "grader/ask/module.h"
#include "grader/base/installation.h"
#include "grader/base/outcome.h"
#include "grader/judge/compare.h"
#include "grader/report/recorded_check.h"
#include "grader/report/report.h"

namespace attn {

/// Two arrays that must agree: an output and the truth, or the two sides of a property.
struct Sides {
    std::string left, right;
    Array yours, expected;
    judge::Comparison comparison;
    /// The output with the diagnosed mistake.
    std::optional<Array> mistaken = {};
};

struct Replay {
    std::string about;  ///< the case's inputs and sizes, or the property's statement
    Outcome outcome = Outcome::passed;
    std::string message, printed;
    std::optional<SourceTrace> lines;       ///< where a call failed
    std::vector<Arrays> runs;               ///< the inputs of every call
    std::vector<Sides> sides;               ///< empty if a call failed
    std::vector<report::Picture> pictures;  ///< one for each of the sides
    std::optional<report::Photograph> photograph;
    std::string mistake;  ///< the diagnosed mistake; completes "what comes out when .."
    std::map<std::string, std::vector<std::string>> letters;  ///< the letters of the axes, by array
    std::vector<ask::OptionSpec> options;                     ///< of the function
};

/// Builds `submission` again and repeats the check. Throws UserError if the rubric no longer has the check,
/// or if the folder or its file is missing.
Replay replay(const report::RecordedCheck& recorded, const std::filesystem::path& submission,
              const Installation& installation);

/// A report with only this check. Without a replay the check is as recorded. With a replay it has the results
/// and inputs of the replay, and a picture of every output next to the expected one.
report::Report explained(const report::RecordedCheck& recorded, const Replay* replay = nullptr);

/// The call that an earlier report's check made, with its inputs and the expected outputs.
struct RecordedCall {
    const ask::Function* function = nullptr;
    std::string about;                       ///< the case's inputs and sizes, or the property's statement
    Arrays inputs;                           ///< of the first call, where a property makes several
    Arrays expected;                         ///< all outputs; empty at sizes that the function must refuse
    std::vector<std::string> wanted;         ///< the outputs that the call asks for; empty means all
    std::filesystem::path contract;          ///< "assignments/02_self_attention/self_attention.h"
    std::vector<std::string> sources;        ///< of the submission: those of the assignment
    std::vector<std::string> other_sources;  ///< those of assignments that it builds on
};

/// Throws UserError if the rubric no longer has the check, and for checks of kernels and of speed.
RecordedCall recorded_call(const report::RecordedCheck& recorded, const Installation& installation);

}  // namespace attn
