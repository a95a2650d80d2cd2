#pragma once
/// The report as Markdown, for a step summary of GitHub Actions, a comment, or a platform that renders it.

#include <string>

#include "grader/report/prose.h"
#include "grader/report/report.h"

namespace attn::report {

/// What a step summary may hold.
inline constexpr std::size_t kMostMarkdown = 1 << 20;

/// All of it: tables, then for each part the failure that says most, and the others in a line each. Parts
/// that do not fit into `limit` bytes are left out, with a word on it.
std::string to_markdown(const Report& dirty, std::size_t limit = kMostMarkdown);

/// The same without the failures: points, what became of each part, what does not compile. Of a clean report.
std::string markdown_summary(const Report& report);

/// A story (prose.h) as Markdown.
std::string markdown(const Story& story);

}  // namespace attn::report
