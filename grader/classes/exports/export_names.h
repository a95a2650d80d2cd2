#pragma once
/// What the exports have in common.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "grader/classes/records.h"

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

}  // namespace attn::classes
