#pragma once
/// Text from a student in Markdown, so that it stays text: no tag, no link, no mention, no heading, no way
/// out of its block.

#include <string>
#include <string_view>

namespace attn::report {

/// In one line; reads as it was written. An invisible space breaks what platforms turn into links without
/// being asked (@name, https://, www.).
std::string escape_markdown(std::string_view text);

/// As code within a line, or escaped where it could not stand there.
std::string code_span(std::string_view text);

/// Lines as a block of code, between fences that are longer than any in it.
std::string fenced(std::string_view lines);

}  // namespace attn::report
