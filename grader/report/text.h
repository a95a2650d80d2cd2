#pragma once
/// Text that came from a student, made fit to stand in a report. The one place that does so.

#include <string>
#include <string_view>

namespace attn::report {

/// Valid UTF-8 without control characters other than tab and line feed; whatever else was there shows as "?".
std::string clean(std::string_view text);

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
