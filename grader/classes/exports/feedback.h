#pragma once
/// What students get back: their page and their report as text.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/classes/exports/grades.h"
#include "grader/classes/records.h"
#include "grader/report/disclosed.h"

namespace attn::classes {

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

}  // namespace attn::classes
