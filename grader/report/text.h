#pragma once
/// Text that came from a student, made fit to stand in a report. The one place that does so.

#include <string>
#include <string_view>

namespace attn::report {

/// Valid UTF-8 without control characters other than tab and line feed, and without those that begin a line
/// or turn the direction of writing; whatever else was there shows as "?".
std::string clean(std::string_view text);

/// Cleaned, in one line, and every run of spaces of whatever kind a single one: nothing in it can be laid out
/// like the lines around it.
std::string one_line(std::string_view text);

/// Clean text of which no line is a command for the build server that shows it: GitHub takes "::error::"
/// after any spaces and "##[error]" anywhere, others "##vso[..]".
std::string without_commands(std::string_view text);

/// What a student's program or its compiler printed, told from the grader's own lines by a "| " before each;
/// cleaned, without commands, long lines cut.
std::string in_quotes(std::string_view text);

/// At most about `bytes`, whole characters, and a word on how much was cut.
std::string cut(std::string text, std::size_t bytes);

/// Cleaned and escaped for XML text and attributes.
std::string escape_xml(std::string_view text);

/// The first lines, and a word on what was cut.
std::string first_lines(std::string_view text, int lines);

/// One line of prose broken between words, so that no line has more than `width` characters (but a longer
/// word).
std::string wrapped(std::string_view line, std::size_t width);

/// Points as people write them: "20", "3.33".
std::string points(double value);

}  // namespace attn::report
