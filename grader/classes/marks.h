#pragma once
/// Marks and their versions. Grading makes a version; an instructor looks at the table of changed marks and
/// publishes it.

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "grader/classes/exercise.h"
#include "grader/classes/grading_run.h"

namespace attn::classes {

/// The marks of an exercise as the stored results, the rubric, class.toml and the overrides make them now. A
/// student has a mark when their attempt that counts is graded: with "latest" the last one that could be
/// graded, with "best" the one with the best mark after lateness. While an attempt that may count is pending,
/// there is no mark.
Version marks_now(Gradebook& gradebook, Exercise& exercise);

/// Stores marks_now() as a new version if it differs from the last one. Returns the last version.
Version update_version(Gradebook& gradebook, Exercise& exercise);

struct MarkChange {
    Student student;
    std::optional<double> before, after;
    std::string explanation;  ///< of the mark after
};

/// The marks of `after` that differ from those of `before`; without that, every mark is new.
std::vector<MarkChange> changes_between(Gradebook& gradebook, const std::optional<Version>& before,
                                        const Version& after);
/// The marks that differ from those of the published version.
std::vector<MarkChange> changed_marks(Gradebook& gradebook, const Version& version);

/// "Anna Meyer", or the e-mail, login or key of a student without a name, safe for a terminal.
std::string shown_name(const Person& person);

/// The rows of a table for people.
void write_change_rows(std::ostream& out, const std::vector<MarkChange>& changes);
/// The table, with a line that says what the marks are compared with.
void write_changes(std::ostream& out, const std::vector<MarkChange>& changes, bool published_before);

/// The last decision for each student.
std::map<Id, Decision> last_decisions(const std::vector<Decision>& all);

}  // namespace attn::classes
