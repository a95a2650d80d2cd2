#include "grader/build/includes.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "datasets/file_error.h"

namespace attn::build {
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

/// The last name in `<deep/vector>` or `"deep/own.h"`.
std::string last_name(std::string_view header) {
    header = header.substr(1, header.size() - 2);
    return std::string(header.substr(header.rfind('/') + 1));  // npos + 1 is 0
}

std::uintmax_t size_of(const fs::path& file) {
    std::error_code unreadable;
    const std::uintmax_t bytes = fs::file_size(file, unreadable);
    return unreadable ? 0 : bytes;
}

std::string too_large(const fs::path& file, std::uintmax_t bytes) {
    constexpr std::size_t kMib = 1 << 20;
    if (bytes > kMostSourceBytes)
        return fmt::format(
            "{} has {} bytes; a source may have {} MiB; leave out tables and generated text, or divide it\n",
            file.string(), bytes, kMostSourceBytes / kMib);
    return fmt::format(
        "{} and the files that are included with it have more than {} MiB together; leave out tables and "
        "generated text\n",
        file.string(), kMostSourceBytesTogether / kMib);
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

std::vector<fs::path> regular_files(const fs::path& folder, const std::string& extension) {
    std::vector<fs::path> files;
    std::error_code error;
    fs::recursive_directory_iterator each(folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && each != fs::recursive_directory_iterator(); each.increment(error)) {
        std::error_code gone;
        if (each->symlink_status(gone).type() == fs::file_type::regular &&
            (extension.empty() || each->path().extension() == extension))
            files.push_back(each->path().lexically_relative(folder));
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::string text_of(const fs::path& file) {
    try {
        return data::read_file(file);
    } catch (const data::FileError&) {
        return {};
    }
}

SourceScan scan_sources(const std::vector<std::string>& sources, const std::vector<fs::path>& files,
                        const fs::path& folder) {
    SourceScan scan;
    std::set<fs::path> reached;
    std::set<std::string> names;  // of headers
    std::vector<const fs::path*> unread;
    std::multimap<std::string, const fs::path*> by_last_name;
    for (const fs::path& file : files) {
        by_last_name.emplace(file.filename().string(), &file);
        if (std::find(sources.begin(), sources.end(), file.string()) != sources.end())
            unread.push_back(&file);
    }
    std::uintmax_t together = 0;
    while (!unread.empty()) {
        const fs::path& file = *unread.back();
        unread.pop_back();
        if (!reached.insert(file).second) continue;
        const std::uintmax_t bytes = size_of(folder / file);
        together += bytes;
        if (bytes > kMostSourceBytes || together > kMostSourceBytesTogether) {
            scan.too_large = too_large(file, bytes);
            break;
        }
        const auto headers = all_includes(text_of(folder / file));
        scan.all_files = scan.all_files || !headers;
        for (const std::string& header : headers.value_or(std::vector<std::string>())) {
            // Compare the last name only: every file of that name may be the one that is included.
            const std::string name = last_name(header);
            if (!names.insert(name).second) continue;
            for (auto [each, end] = by_last_name.equal_range(name); each != end; ++each)
                unread.push_back(each->second);
        }
    }
    scan.files = scan.all_files ? files : std::vector<fs::path>(reached.begin(), reached.end());
    return scan;
}

}  // namespace attn::build
