#pragma once
/// A check of an earlier report, found again.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/report/from_json.h"
#include "grader/report/report.h"

namespace attn::report {

/// What has to be known to do a check once more.
struct Recorded {
    std::string submission;
    std::uint64_t seed = 0;
    int assignment = 0;
    std::string function;
    std::vector<std::string> stand_ins;  ///< earlier functions that the reference's stood in for
    Check check;
    std::vector<std::vector<std::string>> mistakes;  ///< the named ones: each alone, or two at once
};

/// A report that has no such check, or keeps its inputs to itself.
class NotRecorded : public UserError {
    using UserError::UserError;
};

/// The check `id`. Throws NotRecorded, which says which failed checks there are.
Recorded find_recorded(const Report& report, const std::string& id);

}  // namespace attn::report
