#pragma once
/// Grading a submission, from its folder to a report.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/installation.h"
#include "grader/build/builds.h"
#include "grader/report/report.h"

namespace attn {

inline constexpr std::uint64_t kPublicSeed = 2026;

struct GradeOptions {
    std::filesystem::path submission;  ///< a folder or an archive: see submission::take_in
    std::optional<int> assignment;     ///< one number; all of them otherwise
    std::uint64_t seed = kPublicSeed;
    /// The seed is nobody's business: the report does not tell it, the secret cases are asked, too, and
    /// checks are disclosed as the rubric says of secret ones.
    bool secret = false;
    Installation installation;
    submission::BuildOptions extra;  ///< see submission::build
    bool speed = true;               ///< false: speed is not measured, and its points do not count
    int jobs = 1;                    ///< so many assignments are graded at a time
    /// Told what is being done, for people who wait; by one thread at a time.
    std::function<void(const std::string& what)> progress = [](const std::string&) {};
};

/// Grades a submission. Whatever the student did is in the report. Throws UserError for
/// what the caller got wrong; anything else is a fault of the grader.
report::Report grade(const GradeOptions& options);

/// The same, with libraries that may be built already.
report::Report grade(const GradeOptions& options, submission::Builds& builds);

}  // namespace attn
