#include "grader/classes/downloads/entries.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <memory>

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/errors.h"
#include "grader/intake/archive_reader.h"
#include "grader/intake/old_names.h"
#include "grader/intake/utf8_names.h"
#include "grader/report/text.h"

namespace attn::classes {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 200000;

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

void list_archive(DownloadEntries& download) {
    bool old_names = false;
    try {
        const intake::Utf8Names utf8;
        intake::ArchiveReader archive = open_download(download.given);
        while (archive_entry* entry = archive.next()) {
            if (download.entries.size() >= kMostEntries)
                refuse_download(download.given, fmt::format("it has more than {} files", kMostEntries),
                                "pack fewer of them");
            const char* name = archive_entry_pathname(entry);
            DownloadEntry one;
            const std::string readable = name == nullptr ? "" : intake::utf8_name(name);
            one.path = entry_path(readable);
            old_names = old_names || (name != nullptr && readable != name);
            one.folder = archive_entry_filetype(entry) == AE_IFDIR;
            one.plain = one.folder || (archive_entry_filetype(entry) == AE_IFREG &&
                                       archive_entry_hardlink(entry) == nullptr);
            if (archive_entry_mtime_is_set(entry) != 0) one.time = archive_entry_mtime(entry);
            if (archive_entry_is_encrypted(entry) != 0)
                refuse_download(download.given, "it is encrypted", "download it without a password");
            download.entries.push_back(std::move(one));
        }
    } catch (const ArchiveDamage& damage) {
        // A tar that ends too early has been read up to there; the directory of a zip is at its end.
        if (download.entries.empty())
            refuse_download(
                download.given,
                fmt::format("it cannot be read (libarchive says: {})", report::one_line(damage.what())),
                "download it again");
        download.notes.push_back(
            fmt::format("The download is damaged behind {} entries (libarchive says: {}); what follows is "
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

void list_folder(DownloadEntries& download) {
    std::error_code error;
    fs::recursive_directory_iterator walk(download.given, fs::directory_options::skip_permission_denied,
                                          error);
    if (error)
        refuse_download(download.given, "it cannot be read (" + error.message() + ")",
                        "check its permissions");
    for (; walk != fs::recursive_directory_iterator(); walk.increment(error)) {
        if (error) break;
        const fs::path& path = walk->path();
        struct stat status {};
        if (lstat(path.c_str(), &status) != 0) continue;
        DownloadEntry one;
        one.path = path.lexically_relative(download.given).string();
        one.folder = S_ISDIR(status.st_mode);
        one.plain = one.folder || S_ISREG(status.st_mode);
        one.time = folder_entry_time(status);
        if (one.folder && (path.filename() == ".git" || walk.depth() > 30)) walk.disable_recursion_pending();
        download.entries.push_back(std::move(one));
        if (download.entries.size() > kMostEntries)
            refuse_download(download.given, fmt::format("it has more than {} files", kMostEntries),
                            "name the folder that holds only the hand-ins");
    }
    if (error) download.notes.push_back("Part of the folder cannot be read (" + error.message() + ").");
    std::sort(download.entries.begin(), download.entries.end(),
              [](const DownloadEntry& a, const DownloadEntry& b) { return a.path < b.path; });
}

/// Reads the archive from the entry `first` on. Returns the number of the entry to go on with after a damaged
/// one.
std::size_t read_archive_from(const DownloadEntries& download, const EntryReader& reader, std::size_t first) {
    const intake::Utf8Names utf8;
    intake::ArchiveReader archive = open_download(download.given);
    for (std::size_t k = 0; k < download.entries.size(); ++k) {
        if (archive.next() == nullptr) break;
        if (k < first || !reader.wanted(k)) continue;
        try {
            if (!archive.method_is_known())
                reader.broken(k, "it is packed by a method that is not read here; pack it with `zip -r`");
            else
                reader.read(k, [&archive] { return archive.data(); });
        } catch (const ArchiveDamage& damage) {
            reader.broken(
                k, fmt::format("its part of the download is damaged (libarchive says: {}); download it again",
                               report::one_line(damage.what())));
            return k + 1;
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

DownloadEntries list_entries(const fs::path& given) {
    DownloadEntries download{.given = given, .archive = false, .entries = {}, .notes = {}};
    std::error_code error;
    const fs::file_status status = fs::status(given, error);
    if (!fs::exists(status)) refuse_download(given, "there is no such download", "check the path");
    download.archive = !fs::is_directory(status);
    if (download.archive)
        list_archive(download);
    else
        list_folder(download);
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
