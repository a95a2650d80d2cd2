#pragma once
/// Finds a check in an earlier report, to replay it.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/base/errors.h"
#include "grader/report/report.h"

namespace attn::report {

/// Everything that is needed to run a check again.
struct RecordedCheck {
    std::string submission;
    std::uint64_t seed = 0;
    int assignment = 0;
    std::string function;
    std::vector<std::string> stand_ins;  ///< earlier functions that the reference replaced
    std::vector<AddedBarrier> added_barriers;
    Check check;
    /// The named mistakes. Each entry is one mistake, or two that were made together.
    std::vector<std::vector<std::string>> mistakes;
};

/// The report has no such check, or does not show its inputs.
class CannotReplay : public UserError {
    using UserError::UserError;
};

/// The check with this id. Throws CannotReplay, whose message lists the failed checks.
RecordedCheck find_recorded_check(const Report& report, const std::string& id);

/// The same in the report of a file. Without the file, CannotReplay says what to type first.
RecordedCheck recorded_check_in(const std::string& file, const std::string& id);

}  // namespace attn::report
