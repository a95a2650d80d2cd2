#pragma once
/// Makes text from a student safe to show in a report. All writers use these functions.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/outcome.h"

namespace attn::report {

inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Valid UTF-8. Invalid bytes, control characters except tab and line feed, line and paragraph separators,
/// and characters that change the writing direction are replaced by "?".
std::string clean(std::string_view text);

/// Cleaned text in one line, with each run of white space replaced by one space, so that it cannot imitate
/// the layout of a report.
std::string one_line(std::string_view text);

/// Clean text without commands for a build server. GitHub executes "::error::" after any spaces and
/// "##[error]" anywhere in a line; other servers execute "##vso[..]".
std::string without_commands(std::string_view text);

/// Output of a student's program or of the compiler: each line begins with "| " to distinguish it from the
/// grader's own lines. Cleaned, without commands, with long lines cut.
std::string quote_lines(std::string_view text);

/// At most `bytes` bytes of whole characters, followed by a note on how much was cut.
std::string cut(std::string text, std::size_t bytes);

/// Cleaned and escaped for XML text and attributes.
std::string escape_xml(std::string_view text);

/// The first `lines` lines, followed by "(and more)" if any were cut.
std::string first_lines(std::string_view text, int lines);

/// The columns that a line takes in a terminal; a colour code takes none.
std::size_t columns_of(std::string_view text);

/// One line of text wrapped between words to at most `width` columns. A word that is longer than a line is
/// broken.
std::string wrapped(std::string_view line, std::size_t width);

/// Text with its lines wrapped, except those that begin with a space or a bar: numbers and quoted text.
std::string wrapped_prose(std::string_view text, std::size_t width);

/// One line of text, cut between words and ended with ".." if it takes more than `width` columns.
std::string shortened(const std::string& line, std::size_t width);

/// A large count as people say it: "412", "410000", "3.9 million".
std::string times_in_words(double value);

/// Points with at most two decimals: "20", "3.33".
std::string points(double value);

/// The word as a shell reads it: in quotes unless all of its characters are letters, digits, one of /._- or
/// one of `plain`.
std::string quoted_for_shell(const std::string& word, std::string_view plain = "");

/// "a.cpp:23"
std::string in_words(const SourceLine& line);

/// Where a call failed, a line for each place: "a.cpp:23, in softmax:   float m = E(i + 1, 0);". A longer one
/// than `width` becomes two lines.
std::string in_words(const SourceTrace& trace, std::size_t width = 110);

/// " (a.cpp:23)", the innermost of these places; empty if there is none.
std::string first_place(const std::optional<SourceTrace>& trace);

}  // namespace attn::report
