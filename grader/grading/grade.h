#pragma once
/// Grades a submission and returns a report.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/installation.h"
#include "grader/compile/builds.h"
#include "grader/report/report.h"

namespace attn {

inline constexpr std::uint64_t kPublicSeed = 2026;

struct GradeOptions {
    std::filesystem::path submission;  ///< a folder or an archive: see intake::take_in
    std::string course;                ///< see rubric::read_course; empty: the course as it is installed
    std::optional<int> assignment;     ///< the number of one assignment; without it all of the course
    std::vector<std::string> parts;    ///< grades only these functions of `assignment`; empty: all of them
    std::uint64_t seed = kPublicSeed;
    /// Whether the seed is secret. Then the report does not contain the seed, the secret cases are added, and
    /// the rubric's disclosure for secret seeds applies.
    bool secret = false;
    std::filesystem::path
        seed_file;  ///< the file of the secret seed, which student code must not be able to read
    Installation installation;
    compile::BuildOptions extra;         ///< see compile::build_submission
    bool speed = true;                   ///< false: speed is not measured, and its points do not count
    bool kernels = true;                 ///< false: kernels are not run, and their points do not count
    std::optional<report::Hints> hints;  ///< replaces that of the rubrics
    int jobs = 1;                        ///< number of assignments that are graded at the same time
    /// Called with a short text at each step, to show progress. Only one thread calls it at a time.
    std::function<void(const std::string& what)> progress = [](const std::string&) {};
};

/// Grades a submission. The report contains every failure of the student's code. Throws UserError for invalid
/// options; any other exception is a fault of the grader.
report::Report grade(const GradeOptions& options);

/// Does the same with `builds`, which may already have built libraries, for a course with all their
/// assignments.
report::Report grade(const GradeOptions& options, compile::Builds& builds);

}  // namespace attn
