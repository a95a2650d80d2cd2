#include "grader/classes/downloads/entries.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <memory>
#include <unordered_map>

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/errors.h"
#include "grader/intake/archive_reader.h"
#include "grader/report/text.h"

namespace attn::classes {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepestTop = 8;  ///< as in layout_of()

[[noreturn]] void refuse_download(const fs::path& given, const std::string& found,
                                  const std::string& remedy) {
    throw UserError(
        fmt::format("{}: {}; expected a folder, a .zip or a .tar as the platform offers it for download; {}",
                    given.string(), report::one_line(found), remedy));
}

/// "a/b" for "./a//b"; empty for a path that leads out.
std::string entry_path(std::string_view path) {
    std::string tidy;
    if (path.starts_with('/')) return tidy;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        const std::string_view name = path.substr(0, end);
        path.remove_prefix(std::min(end + 1, path.size()));
        if (name.empty() || name == ".") continue;
        if (name == "..") return "";
        tidy += (tidy.empty() ? "" : "/") + std::string(name);
    }
    return tidy;
}

using intake::ArchiveDamage;

intake::ArchiveReader open_download(const fs::path& file) {
    return {file, [](archive* a) {
                archive_read_support_filter_gzip(a);
                archive_read_support_filter_xz(a);
                archive_read_support_filter_bzip2(a);
                archive_read_support_format_zip_seekable(a);
                archive_read_support_format_tar(a);
            }};
}

/// `old_names` becomes true if its name is not UTF-8.
DownloadEntry entry_of(archive_entry* entry, bool& old_names) {
    const char* name = archive_entry_pathname(entry);
    const std::string readable = name == nullptr ? "" : intake::utf8_name(name);
    old_names = old_names || (name != nullptr && readable != name);
    DownloadEntry one;
    one.path = entry_path(readable);
    one.folder = archive_entry_filetype(entry) == AE_IFDIR;
    one.plain =
        one.folder || (archive_entry_filetype(entry) == AE_IFREG && archive_entry_hardlink(entry) == nullptr);
    if (archive_entry_mtime_is_set(entry) != 0) one.time = archive_entry_mtime(entry);
    return one;
}

/// The folder that holds all entries of an archive: the path of the folders that lie alone, one in another.
std::string top_of_archive(const fs::path& file) {
    intake::ArchiveReader archive = open_download(file);
    std::optional<std::vector<std::string>> top;
    bool old_names = false;
    while (archive_entry* entry = archive.next()) {
        const DownloadEntry one = entry_of(entry, old_names);
        std::vector<std::string> names;
        for (const fs::path& name : fs::path(one.path)) names.push_back(name.string());
        if (names.empty() || std::ranges::any_of(names, is_leftover)) continue;
        if (!one.folder) names.pop_back();
        if (!top) top = names;
        top->erase(std::ranges::mismatch(*top, names).in1, top->end());
    }
    if (!top) return "";
    top->resize(std::min<std::size_t>(top->size(), kDeepestTop));
    std::string path;
    for (const std::string& name : *top) path += name + "/";
    return path;
}

/// Counts the entries of each folder or file below the top.
class EntryCounts {
  public:
    EntryCounts(std::string top, std::size_t most) : top_(std::move(top)), most_(most) {}

    /// Whether one more entry may be listed.
    bool take(const std::string& path) { return ++counts_[group_of(path)] <= most_; }

    std::size_t groups() const { return counts_.size(); }

    void mark_crowded(std::vector<DownloadEntry>& entries) const {
        for (DownloadEntry& one : entries) one.crowded = counts_.at(group_of(one.path)) > most_;
    }

  private:
    std::string group_of(const std::string& path) const {
        return path.starts_with(top_) ? path.substr(0, path.find('/', top_.size())) : path;
    }

    std::string top_;
    std::size_t most_;
    std::unordered_map<std::string, std::size_t> counts_;
};

[[noreturn]] void refuse_many_entries(const DownloadEntries& download, std::size_t most) {
    refuse_download(download.given,
                    fmt::format("it has more than {} files and folders beside each other", most),
                    "name the folder, or pack the archive, that holds only the hand-ins");
}

/// Adds the entries of an archive. False if there are too many; with `counts` only those are added that it takes.
bool add_archive_entries(DownloadEntries& download, std::size_t most, EntryCounts* counts, bool& old_names) {
    intake::ArchiveReader archive = open_download(download.given);
    for (std::size_t position = 0; archive_entry* entry = archive.next(); ++position) {
        if (archive_entry_is_encrypted(entry) != 0)
            refuse_download(download.given, "it is encrypted", "download it without a password");
        DownloadEntry one = entry_of(entry, old_names);
        one.position = position;
        if (counts != nullptr && !counts->take(one.path)) continue;
        if ((counts != nullptr ? counts->groups() : download.entries.size() + 1) > most) return false;
        download.entries.push_back(std::move(one));
    }
    return true;
}

void list_archive(DownloadEntries& download, const EntryLimits& limits) {
    bool old_names = false;
    try {
        const intake::Utf8Names utf8;
        if (!add_archive_entries(download, limits.all, nullptr, old_names)) {
            download.entries.clear();
            EntryCounts counts(top_of_archive(download.given), limits.of_one);
            if (!add_archive_entries(download, limits.all, &counts, old_names))
                refuse_many_entries(download, limits.all);
            counts.mark_crowded(download.entries);
        }
    } catch (const ArchiveDamage& damage) {
        // A tar that ends too early has been read up to there; the directory of a zip is at its end.
        if (download.entries.empty())
            refuse_download(
                download.given,
                fmt::format("it cannot be read (libarchive says: {})", report::one_line(damage.what())),
                "download it again");
        download.notes.push_back(
            fmt::format("The download is damaged after {} entries (libarchive says: {}); what follows is "
                        "missing. Download it "
                        "again.",
                        download.entries.size(), report::one_line(damage.what())));
    }
    if (old_names)
        download.notes.emplace_back(
            "Some names in the download are not UTF-8, and are read as CP850, as Windows writes them; check "
            "a "
            "name with an accent.");
}

Moment folder_entry_time(const struct stat& status) {
    return status.st_mtim.tv_sec;
}

/// Adds an entry of a folder. False for what is no folder to enter.
bool add_folder_entry(DownloadEntries& download, const fs::path& path) {
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0) return false;
    DownloadEntry one;
    one.path = path.lexically_relative(download.given).string();
    one.folder = S_ISDIR(status.st_mode);
    one.plain = one.folder || S_ISREG(status.st_mode);
    one.time = folder_entry_time(status);
    download.entries.push_back(std::move(one));
    return S_ISDIR(status.st_mode) && path.filename() != ".git";
}

/// Adds what lies in one folder at the top of a download.
void list_one(DownloadEntries& download, const fs::path& folder, std::size_t most) {
    constexpr int kDeepest = 30;
    const std::size_t first = download.entries.size();
    std::error_code error;
    fs::recursive_directory_iterator walk(folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error)) {
        if (!add_folder_entry(download, walk->path()) || walk.depth() > kDeepest)
            walk.disable_recursion_pending();
        if (download.entries.size() - first <= most) continue;
        for (std::size_t k = first; k < download.entries.size(); ++k) download.entries[k].crowded = true;
        return;
    }
    if (error)
        download.notes.push_back(fmt::format("Part of \"{}\" cannot be read ({}).",
                                             report::one_line(folder.filename().string()), error.message()));
}

/// Adds the leftovers of operating systems and tools in a folder, and returns what else lies there.
std::vector<fs::path> list_beside(DownloadEntries& download, const fs::path& folder, std::size_t most,
                                  std::error_code& error) {
    std::vector<fs::path> others;
    for (fs::directory_iterator walk(folder, error); !error && walk != fs::directory_iterator();
         walk.increment(error)) {
        if (is_leftover(walk->path().filename().string()))
            add_folder_entry(download, walk->path());
        else
            others.push_back(walk->path());
        if (others.size() > most) refuse_many_entries(download, most);
    }
    return others;
}

void list_folder(DownloadEntries& download, const EntryLimits& limits) {
    std::error_code error;
    std::vector<fs::path> top = list_beside(download, download.given, limits.all, error);
    if (error)
        refuse_download(download.given, "it cannot be read (" + error.message() + ")",
                        "check its permissions");
    // Folders that lie alone, one in another, hold all students' files.
    for (int depth = 0; depth < kDeepestTop && top.size() == 1; ++depth) {
        const fs::path alone = top.front();
        if (fs::symlink_status(alone, error).type() != fs::file_type::directory) break;
        std::vector<fs::path> inside = list_beside(download, alone, limits.all, error);
        if (error || inside.empty()) break;
        add_folder_entry(download, alone);
        top = std::move(inside);
    }
    for (const fs::path& one : top)
        if (add_folder_entry(download, one)) list_one(download, one, limits.of_one);
    std::sort(download.entries.begin(), download.entries.end(),
              [](const DownloadEntry& a, const DownloadEntry& b) { return a.path < b.path; });
}

/// Reads the archive from the entry `first` on. Returns the number of the entry to go on with after a damaged
/// one.
std::size_t read_archive_from(const DownloadEntries& download, const EntryReader& reader, std::size_t first) {
    const intake::Utf8Names utf8;
    intake::ArchiveReader archive = open_download(download.given);
    std::size_t k = 0;
    for (std::size_t position = 0; k < download.entries.size(); ++position) {
        if (archive.next() == nullptr) break;
        if (position != download.entries[k].position) continue;  // not listed
        const std::size_t entry = k++;
        if (entry < first || !reader.wanted(entry)) continue;
        try {
            if (!archive.method_is_known())
                reader.broken(entry, "it is packed by a method that is not read here; pack it with `zip -r`");
            else
                reader.read(entry, [&archive] { return archive.data(); });
        } catch (const ArchiveDamage& damage) {
            reader.broken(
                entry,
                fmt::format("its part of the download is damaged (libarchive says: {}); download it again",
                            report::one_line(damage.what())));
            return k;
        }
    }
    return download.entries.size();
}

void read_folder_entry(const DownloadEntries& download, const EntryReader& reader, std::size_t k) {
    const fs::path path = download.given / download.entries[k].path;
    // Neither a link nor a pipe that has taken the file's place is opened.
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0)
        return reader.broken(k,
                             fmt::format("it cannot be read ({})", std::generic_category().message(errno)));
    const std::unique_ptr<const int, void (*)(const int*)> owned(&descriptor,
                                                                 [](const int* one) { close(*one); });
    std::vector<char> buffer(std::size_t{1} << 16);
    reader.read(k, [&]() -> std::string_view {
        const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
        if (count < 0)
            throw UserError(fmt::format("it cannot be read ({})", std::generic_category().message(errno)));
        return {buffer.data(), static_cast<std::size_t>(count)};
    });
}

}  // namespace

bool is_leftover(std::string_view name) {
    return name == "__MACOSX" || name == "Thumbs.db" || name == "desktop.ini" || name.starts_with('.');
}

DownloadEntries list_entries(const fs::path& given, const EntryLimits& limits) {
    DownloadEntries download{.given = given, .archive = false, .entries = {}, .notes = {}};
    std::error_code error;
    const fs::file_status status = fs::status(given, error);
    if (!fs::exists(status)) refuse_download(given, "there is no such download", "check the path");
    download.archive = !fs::is_directory(status);
    if (download.archive)
        list_archive(download, limits);
    else
        list_folder(download, limits);
    return download;
}

void read_entries(const DownloadEntries& download, const EntryReader& reader) {
    if (!download.archive) {
        for (std::size_t k = 0; k < download.entries.size(); ++k)
            if (reader.wanted(k)) read_folder_entry(download, reader, k);
        return;
    }
    std::size_t next = 0;
    try {
        while (next < download.entries.size()) next = read_archive_from(download, reader, next);
    } catch (const ArchiveDamage& damage) {
        for (; next < download.entries.size(); ++next)
            if (reader.wanted(next)) reader.broken(next, report::one_line(damage.what()));
    }
}

}  // namespace attn::classes
