#pragma once
/// Escapes text from a student for Markdown, so that it cannot become a tag, link, mention or heading, or end
/// its block.

#include <string>
#include <string_view>

namespace attn::report {

/// The text in one line, escaped. A zero-width space prevents automatic links (@name, https://, www.).
std::string escape_markdown(std::string_view text);

/// The text as inline code, or escaped if it contains characters that inline code cannot hold.
std::string code_span(std::string_view text);

/// The lines as a code block, with fences longer than any fence inside.
std::string fenced(std::string_view lines);

}  // namespace attn::report
