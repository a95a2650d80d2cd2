#pragma once
/// The report as Markdown, for a step summary of GitHub Actions, a comment, or a platform that renders it.

#include <string>
#include <string_view>

#include "grader/report/check_description.h"
#include "grader/report/report.h"

namespace attn::report {

/// The size limit of a step summary in bytes.
inline constexpr std::size_t kMostMarkdown = 1 << 20;

/// The whole report: tables, then for each part the most informative failure in full and the others in a line
/// each. Parts that do not fit into `limit` bytes are left out, and a note says so.
std::string to_markdown(const Report& dirty, std::size_t limit = kMostMarkdown);

/// The summary of a cleaned report without failures: points, the state of each part, compiler messages.
std::string markdown_summary(const Report& report);

/// The failures of a part of a cleaned report: the most informative one and those of speed and growth in full,
/// the others in a line each.
std::string markdown_failures(const Report& report, const Part& part);

/// A description (check_description.h) as Markdown.
std::string markdown(const Description& description);

// Text from a student is escaped, so that it cannot become a tag, link, mention or heading, or end its block.

/// The text in one line, escaped. A zero-width space prevents automatic links (@name, https://, www.).
std::string escape_markdown(std::string_view text);

/// The text as inline code, or escaped if it contains characters that inline code cannot hold.
std::string code_span(std::string_view text);

/// The lines as a code block, with fences longer than any fence inside.
std::string fenced(std::string_view lines);

}  // namespace attn::report
