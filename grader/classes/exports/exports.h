#pragma once
/// What teachers give back: marks in the forms that course platforms take, and feedback for students.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/classes/records.h"
#include "grader/classes/roster/csv_table.h"
#include "grader/report/disclosed.h"

namespace attn::classes {

/// The name of a student for a note to the instructor: the pseudonym if names may not be shown.
std::string shown_name(const ClassView& view, const StudentView& student);

/// Whether the student has a mark that may be published.
inline bool has_published_mark(const StudentView& student) {
    return student.mark && !student.mark->held;
}

/// At most two decimals: "57.2", "60".
std::string grade_text(double points, char decimal_mark = '.');

/// A number with a decimal point or comma; nothing for other texts.
std::optional<double> number_in(std::string_view text);

/// Writes a file that only its owner can read, in place of an earlier one: at once or not at all. Throws
/// UserError.
void write_private_file(const std::filesystem::path& file, std::string_view text);

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

/// Writes feedback.html (the page) and feedback.txt (the mark with its computation, and the report) for each
/// student, cut to what the rubric discloses at the time that `when` says. `out` becomes a zip if its name
/// ends in ".zip", and otherwise a folder, which must be new or empty; only its owner can read it.
///   moodle     NAME_ID_assignsubmission_file/feedback.html, for "Upload multiple feedback files in a zip"
///   canvas     name_USER_ATTACHMENT_feedback.html, for "Upload submissions"
///   others     a folder for each student
/// A student whose mark is held gets nothing and is named; neither does a student without an attempt. An
/// attempt that cannot be graded is explained; of a fault of the grader students are only told that it will
/// be graded again. Throws UserError if `out` is there already.
Exported write_feedback(const ClassView& view, const std::string& platform, const std::filesystem::path& out,
                        const report::ViewOptions& when = {});

/// Fills the marks into Moodle's grading worksheet.
Exported fill_moodle_worksheet(const ClassView& view, CsvTable& table, const std::string& file,
                               const ExportOptions& options);

/// Fills the marks into Canvas' gradebook, and takes out the columns of other assignments: an upload would
/// set them back to what they were when the file was exported.
Exported fill_canvas_gradebook(const ClassView& view, CsvTable& table, const std::string& file,
                               const ExportOptions& options);

}  // namespace attn::classes
