#pragma once
/// Reads when people handed in, and gives their attempts these times.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/classes/gradebook/gradebook.h"
#include "grader/classes/records.h"

namespace attn::classes {

struct TimesRow {
    Person person;
    std::optional<Moment> when;  ///< none: the file has no time for them
};

struct TimesFile {
    TimeSource source = TimeSource::table;  ///< or TimeSource::platform
    std::string name;                       ///< "Moodle's worksheet"
    std::vector<TimesRow> rows;
    std::vector<std::string> notes;
};

/// Reads one of these:
///   Moodle      the grading worksheet. Its column "Last modified (submission)" is the first after the grade whose cells
///               are all times or "-", in whatever language
///   Canvas      the answer of its API to /courses/C/assignments/A/submissions, as JSON
///   Gradescope  the table of "Download Grades"
///   others      people as in a roster (see read_roster()), and a column of times
/// Throws UserError if there is no column of times, or if one of them cannot be read: then none is taken.
TimesFile read_times_file(const std::filesystem::path& file);

struct GivenTimes {
    std::size_t given = 0, of = 0;  ///< attempts that have the file's time now, of those that could
    std::vector<std::string> notes;
};

/// Gives the last attempt of each student at an exercise the time of their row. A time of a stronger source stays, with a
/// note if it is another. One transaction.
GivenTimes give_times(Gradebook& gradebook, int exercise, const TimesFile& times);

}  // namespace attn::classes
