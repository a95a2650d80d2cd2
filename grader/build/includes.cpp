#include "grader/build/includes.h"

#include <algorithm>
#include <array>
#include <set>

#include "datasets/file_error.h"

namespace attn::submission {
namespace {

namespace fs = std::filesystem;

std::string_view trimmed(std::string_view line) {
    const auto first = line.find_first_not_of(" \t\r\f\v"), last = line.find_last_not_of(" \t\r\f\v");
    return first == std::string_view::npos ? "" : line.substr(first, last - first + 1);
}

/// `<vector>` for the line `#include <vector>`. Only a // comment may follow; otherwise the result is empty.
std::string included_header(std::string_view line) {
    constexpr std::string_view kInclude = "include";
    line = trimmed(line.substr(1));
    if (!line.starts_with(kInclude)) return {};
    line = trimmed(line.substr(kInclude.size()));
    if (line.empty() || (line[0] != '<' && line[0] != '"')) return {};
    const auto end = line.find(line[0] == '<' ? '>' : '"', 1);
    if (end == std::string_view::npos) return {};
    const auto rest = trimmed(line.substr(end + 1));
    return rest.empty() || rest.starts_with("//") ? std::string(line.substr(0, end + 1)) : std::string();
}

/// Removes the next line from the text and returns it without the space around it.
std::string_view take_line(std::string_view& text) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

}  // namespace

std::vector<std::string> leading_includes(std::string_view text) {
    std::vector<std::string> all;
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        if (line.ends_with('\\')) break;  // the line continues in the next one
        if (line.empty() || line.starts_with("//")) continue;
        if (line.starts_with("/*")) {
            // Skip the comment; the rest of its last line has to be empty.
            const std::string_view rest(line.data() + 2, text.data() + text.size());
            const auto close = rest.find("*/");
            if (close == std::string_view::npos) break;
            text = rest.substr(close + 2);
            if (!trimmed(text.substr(0, std::min(text.find('\n'), text.size()))).empty()) break;
            continue;
        }
        const std::string header = line.starts_with('#') ? included_header(line) : std::string();
        if (header.empty()) break;
        all.push_back(header);
    }
    return all;
}

std::optional<std::vector<std::string>> all_includes(std::string_view text) {
    // Every way to read a file, or to ask whether it exists, contains one of these words.
    static constexpr std::array kWords = {"include", "import", "embed", "asm", "ragma"};
    std::vector<std::string> all;
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        if (line.ends_with('\\')) return std::nullopt;  // a word may continue in the next line
        const bool harmless = line == "#pragma once" || line.starts_with("//") ||
                              std::none_of(kWords.begin(), kWords.end(), [line](auto word) {
                                  return line.find(word) != std::string_view::npos;
                              });
        if (harmless) continue;
        const std::string header = line.starts_with('#') ? included_header(line) : std::string();
        if (header.empty()) return std::nullopt;
        all.push_back(header);
    }
    return all;
}

std::vector<fs::path> files_that_may_be_included(const std::vector<std::string>& sources,
                                                 const std::vector<fs::path>& files, const fs::path& folder) {
    std::set<fs::path> behind;
    std::vector<fs::path> unread(sources.begin(), sources.end());
    while (!unread.empty()) {
        const fs::path file = unread.back();
        unread.pop_back();
        if (std::find(files.begin(), files.end(), file) == files.end() || !behind.insert(file).second)
            continue;
        const auto headers = all_includes(data::read_file(folder / file));
        if (!headers) return files;
        for (const std::string& header : *headers) {
            // Compare the last name only: every file of that name may be the one that is included.
            const fs::path name = fs::path(header.substr(1, header.size() - 2)).filename();
            for (const fs::path& each : files)
                if (each.filename() == name) unread.push_back(each);
        }
    }
    return {behind.begin(), behind.end()};
}

}  // namespace attn::submission
