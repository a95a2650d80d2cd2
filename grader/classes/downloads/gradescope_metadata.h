#pragma once
/// Reads submission_metadata.yml, the list of submissions in Gradescope's export.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/classes/records.h"

namespace attn::classes {

struct GradescopeSubmission {
    std::vector<Person> people;  ///< key is the sid, a text with its leading zeros
    std::optional<Moment> when;
};

/// The submissions by the name of their folder, "submission_123". Only who handed in and when is kept: the
/// rest of the file (results, history) can be very long and is skipped as it is read. Throws UserError if it
/// is no such file.
std::map<std::string, GradescopeSubmission> read_gradescope_metadata(const std::filesystem::path& file);

}  // namespace attn::classes
