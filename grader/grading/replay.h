#pragma once
/// A check of an earlier report done once more, with all its numbers: what `grader explain` shows.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assignments/array.h"
#include "grader/base/installation.h"
#include "grader/base/outcome.h"
#include "grader/judge/compare.h"
#include "grader/report/recorded_check.h"

namespace attn {

/// Two arrays that have to agree: an output and the truth, or the two sides of a property.
struct Sides {
    std::string left, right;
    Array yours, due;
    judge::Comparison comparison;
    /// What comes out for one who makes the mistake that was named.
    std::optional<Array> mistaken = {};
};

struct Replay {
    std::string about;  ///< the case's inputs and sizes, or the property's statement
    Outcome outcome = Outcome::passed;
    std::string message, printed;
    std::vector<Arrays> runs;               ///< inputs, of every call
    std::vector<Sides> sides;               ///< empty where a call came to nothing
    std::vector<report::Picture> pictures;  ///< of each of them
    std::optional<report::Photograph> photograph;
    std::string mistake;  ///< that `mistaken` is about: completes "what comes out when .."
    std::map<std::string, std::vector<std::string>> letters;  ///< of the axes, by array
};

/// Builds `submission` anew and asks it again. Throws UserError where the rubric knows the
/// check no longer, or where the folder or its file is gone.
Replay replay(const report::RecordedCheck& recorded, const std::filesystem::path& submission,
              const Installation& installation);

}  // namespace attn
