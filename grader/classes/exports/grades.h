#pragma once
/// Marks in the forms that the course platforms take.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/classes/records.h"

namespace attn::classes {

struct ExportOptions {
    bool anonymous = false;  ///< pseudonyms in place of people; only for "csv" and "json"
    bool scale = false;      ///< convert marks to the platform's maximum, where it is another
    std::string column;      ///< "canvas": the title of the exercise's column, where there are several
};

struct Exported {
    int written = 0;                 ///< students whose mark is in the file
    std::vector<std::string> notes;  ///< whose mark is not, and why; what the platform does with the file
};

/// The names that write_grades() takes.
const std::vector<std::string>& known_grade_formats();

/// Writes the marks of a class. A held mark is left out and named. No cell that a student could have written
/// is a formula for a spreadsheet. `out` becomes readable for its owner only.
///   moodle      the teacher's grading worksheet with the grades filled in. Nothing else changes, so names of
///               columns may be in any language. Rows that Moodle would skip without a word are named:
///               locked, out of range.
///   canvas      the teacher's exported gradebook, reduced to the student's columns and the exercise's. A
///               column that the file does not have is refused, because Canvas would make a new assignment of
///               it.
///   gradescope  the columns of Gradescope's own list of grades (Gradescope takes no marks of such
///               assignments back)
///   autolab     EMAIL,SCORE for "Bulk import grades" of an assessment with one problem
///   csv, json   everything about the marks, with the points of each function; json also with the attempts
/// `teachers_file` is read for moodle and canvas only. Throws UserError if it is missing or is something
/// else, or if its maximum is not that of the marks and options.scale is not set.
Exported write_grades(const ClassView& view, const std::string& platform,
                      const std::filesystem::path& teachers_file, const std::filesystem::path& out,
                      const ExportOptions& options = {});

}  // namespace attn::classes
