#pragma once
/// The lines of a text.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// Removes the first line, with its line feed, from a text and returns it without.
inline std::string_view take_line(std::string_view& text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
}

/// All lines of a text, without their line feeds.
inline std::vector<std::string> lines_in(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) lines.emplace_back(take_line(text));
    return lines;
}

}  // namespace attn
