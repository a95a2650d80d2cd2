#include <algorithm>
#include <cctype>

#include "grader/report/platforms/markdown.h"
#include "grader/report/text.h"

namespace attn::report {
namespace {

constexpr std::string_view kInvisible = "\u200b";  // zero-width space

/// The position of the character that would make the line a list item, a rule or a heading; npos if none.
std::size_t mark_at_the_beginning(std::string_view line) {
    if (!line.empty() && std::string_view("+-=:").find(line.front()) != std::string_view::npos) return 0;
    const auto end =
        static_cast<std::size_t>(std::find_if_not(line.begin(), line.end(), is_digit) - line.begin());
    const bool is_number = end > 0 && end < line.size() && (line[end] == '.' || line[end] == ')');
    return is_number ? end : std::string_view::npos;
}

/// Whether `text` ends with "www" in upper or lower case.
bool ends_with_www(std::string_view text) {
    const auto is_w = [](char c) { return c == 'w' || c == 'W'; };
    return text.size() >= 3 && std::all_of(text.end() - 3, text.end(), is_w);
}

std::size_t longest_run(std::string_view text, char wanted) {
    std::size_t longest = 0, run = 0;
    for (const char c : text) longest = std::max(longest, run = c == wanted ? run + 1 : 0);
    return longest;
}

}  // namespace

std::string escape_markdown(std::string_view text) {
    const std::string line = one_line(text);
    const std::size_t mark = mark_at_the_beginning(line);
    std::string result;
    for (std::size_t k = 0; k < line.size(); ++k) {
        const char c = line[k];
        if (c == '<' || c == '>' || c == '&') {
            result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&amp;";
            continue;
        }
        if (c == '.' && ends_with_www(std::string_view(line).substr(0, k))) result += kInvisible;
        if (k == mark || std::string_view("\\`*_[]#|~$^!{}").find(c) != std::string_view::npos)
            result += '\\';
        result += c;
        if (c == '@' || c == '#' || (c == ':' && line.compare(k + 1, 2, "//") == 0)) result += kInvisible;
    }
    return result;
}

std::string code_span(std::string_view text) {
    const std::string line = one_line(text);
    if (line.empty() || line.find_first_of("`|") != std::string::npos || line.find("##") != std::string::npos)
        return escape_markdown(line);
    return "`" + line + "`";
}

std::string fenced(std::string_view lines) {
    constexpr std::size_t kShortest = 3;
    const std::string fence(std::max(kShortest, longest_run(lines, '`') + 1), '`');
    return fence + "text\n" + std::string(lines) + (lines.ends_with('\n') ? "" : "\n") + fence + '\n';
}

}  // namespace attn::report
