#include "grader/compile/includes.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "grader/compile/compile_sandbox.h"

namespace attn::compile {
namespace {

namespace fs = std::filesystem;

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

SourceScan scan_sources(const std::vector<std::string>& sources, const std::vector<fs::path>& files,
                        const fs::path& folder, const ReadFacts& read) {
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
            scan.refused = too_large(file, bytes);
            break;
        }
        const std::optional<SourceFacts> facts = read(folder / file);
        if (!facts) {
            scan.refused = unreadable(file.string());
            break;
        }
        const auto& headers = facts->all_includes;
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

}  // namespace attn::compile
