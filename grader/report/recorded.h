#pragma once
/// A check of an earlier report, found again in its JSON.

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "grader/report/report.h"

namespace attn::report {

/// What has to be known to do a check once more.
struct Recorded {
    std::string submission;
    std::uint64_t seed = 0;
    int assignment = 0;
    std::string function;
    std::vector<std::string> stand_ins;  ///< earlier functions that the reference's stood in for
    std::string id, name, kind, message;
    std::vector<std::vector<std::string>> mistakes;  ///< the named ones: each alone, or two at once
    std::optional<Check> measured;                   ///< all of a check of speed or growth
};

/// No report, or none that has the check: says which failed checks there are.
class NotRecorded : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The check `id` of the report in `text`, as written by to_json. Throws NotRecorded.
Recorded find_recorded(const std::string& text, const std::string& id);

}  // namespace attn::report
