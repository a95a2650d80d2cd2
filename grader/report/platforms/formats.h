#pragma once
/// The report in the formats of course platforms, build servers and spreadsheets: a function for each.

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/errors.h"
#include "grader/report/report.h"

namespace attn::report {

// The last two lines of an autograder's standard output, which Autolab reads.
//
// The first line is the formatted feedback with the result of each check, the second is
// {"scores": {..}, "scoreboard": [..]}. If one assignment was graded, the problems are its parts, named
// after their functions; if several were graded, the problems are the assignments, named by title. The lab
// on Autolab must have problems with these names. The columns of the scoreboard are the total and, for each
// part with a check of speed, the speed as a multiple of the plain loops' speed (0: not measured).

/// Throws UserError if a problem's name is empty, contains a colon, or occurs twice.
std::string to_autolab(const Report& dirty);

// The report as Classroom 50's result.json, with a test for each part. Scores are integers, rounded so that
// their sum is the rounded total.

/// The other fields of the file. Classroom 50 sets them in the environment.
struct Classroom50 {
    std::string classroom, assignment, submission, commit, release, review;
    std::string datetime;  ///< in UTC: "2026-11-21T18:00:00Z"
};

std::string to_classroom50(const Report& dirty, const Classroom50& names);

/// Rounds `values` (each 0 or more) to integers whose sum is the rounded sum of the values: those with the
/// largest remainders are rounded up. `most` is empty, or has an upper limit for each value.
std::vector<int> whole_numbers(const std::vector<double>& values, const std::vector<int>& most = {});

// The report as a CSV table (RFC 4180) with a row for each check. No cell is a formula in a spreadsheet.

std::string to_csv(const Report& dirty);

/// The text as one cell: cleaned, in one line, quoted if necessary. A leading ' prevents formulas.
std::string csv_cell(std::string_view text);

// The report as workflow commands of GitHub Actions, for the standard output of a step: annotations for the
// failures that cost the most points, then all failures as text in which no command is executed.

/// GitHub shows at most this many annotations of a step.
inline constexpr std::size_t kMostAnnotations = 10;

/// Writes the commands with a random token.
std::string to_github(const Report& dirty);

/// `token` disables commands before text that may come from a student, and enables them again afterwards. It
/// must not occur in the report, and students must not be able to predict it.
std::string to_github(const Report& dirty, const std::string& token);

// The report as Gradescope's results.json.
//
// Gradescope hides the total score if any test is hidden. Therefore, if an assignment always shows its
// total, its checks that are kept back are not written as tests: they count in the total score, and a note
// says how many there are. (Grade again once they may be shown.) If the total may be hidden, these checks
// are tests with Gradescope's `visibility`, and Gradescope shows them when they are due. One such assignment
// hides the total of all assignments that are graded together with it.

std::string to_gradescope(const Report& dirty);

// The report as JUnit XML, in the subset that all common readers accept: a suite for each assignment, a test
// case for each check.

/// Jenkins rejects unknown attributes; GitLab expects the `file` of each test case.
enum class JunitDialect { jenkins, gitlab };

inline constexpr std::array<const char*, 2> kJunitDialectNames{"jenkins", "gitlab"};

std::string to_junit(const Report& dirty, JunitDialect dialect = JunitDialect::jenkins);

// The report as PrairieLearn's results.json: at most 1 MB, with heat maps of the first wrong outputs. If no
// file of the submission compiles, the result is "not gradable", which costs the student no attempt.

/// The size limit of PrairieLearn in bytes.
inline constexpr std::size_t kMostPrairieLearn = 1'000'000;

std::string to_prairielearn(const Report& dirty);

}  // namespace attn::report
