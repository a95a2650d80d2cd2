#pragma once
/// Fills marks into a table that the teacher exported from the platform.

#include <string>
#include <vector>

#include "grader/classes/exports/grades.h"
#include "grader/classes/roster/csv_table.h"

namespace attn::classes {

/// Fills the marks into Moodle's grading worksheet.
Exported fill_moodle_worksheet(const ClassView& view, CsvTable& table, const std::string& file,
                               const ExportOptions& options);

/// Fills the marks into Canvas' gradebook, and takes out the columns of other assignments: an upload would
/// set them back to what they were when the file was exported.
Exported fill_canvas_gradebook(const ClassView& view, CsvTable& table, const std::string& file,
                               const ExportOptions& options);

}  // namespace attn::classes
