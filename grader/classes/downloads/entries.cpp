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
#include "grader/intake/utf8_names.h"
#include "grader/report/text.h"

namespace attn::classes {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 200000;

[[noreturn]] void refuse_download(const fs::path& given, const std::string& found,
                                  const std::string& remedy) {
    throw UserError(
        fmt::format("{}: {}; expected a folder, a .zip, a .tar or a .tar.gz as the platform offers it for "
                    "download; {}",
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

/// A failure of libarchive: with one entry, or with the archive as a whole.
struct DownloadDamage : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// One pass through an archive.
class DownloadArchive {
  public:
    explicit DownloadArchive(const fs::path& file) : archive_(archive_read_new(), archive_read_free) {
        if (!archive_) throw std::bad_alloc();
        archive_read_support_filter_gzip(archive_.get());
        archive_read_support_format_zip_seekable(archive_.get());
        archive_read_support_format_tar(archive_.get());
        if (archive_read_open_filename(archive_.get(), file.c_str(), buffer_.size()) != ARCHIVE_OK)
            throw DownloadDamage(why());
    }

    /// The next entry; null at the end.
    archive_entry* next() {
        archive_entry* entry = nullptr;
        const int result = archive_read_next_header(archive_.get(), &entry);
        if (result == ARCHIVE_EOF) return nullptr;
        if (result != ARCHIVE_OK && result != ARCHIVE_WARN) throw DownloadDamage(why());
        return entry;
    }

    std::string_view data() {
        const la_ssize_t count = archive_read_data(archive_.get(), buffer_.data(), buffer_.size());
        if (count < 0) throw DownloadDamage(why());
        return {buffer_.data(), static_cast<std::size_t>(count)};
    }

    /// Whether the entry is packed by a method that needs little memory.
    bool method_is_known() const {
        const char* name = archive_format_name(archive_.get());
        const std::string_view format = name == nullptr ? "" : name;
        return !format.starts_with("ZIP") || format.ends_with("(deflation)") ||
               format.ends_with("(uncompressed)");
    }

  private:
    std::string why() const {
        const char* text = archive_error_string(archive_.get());
        return report::one_line(std::string(text == nullptr ? "unknown" : text).substr(0, 200));
    }

    submission::Utf8Names utf8_;
    std::unique_ptr<archive, int (*)(archive*)> archive_;
    std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 16);
};

void list_archive(DownloadEntries& download) {
    try {
        DownloadArchive archive(download.given);
        while (archive_entry* entry = archive.next()) {
            if (download.entries.size() >= kMostEntries)
                refuse_download(download.given, fmt::format("it has more than {} files", kMostEntries),
                                "pack fewer of them");
            const char* name = archive_entry_pathname(entry);
            DownloadEntry one;
            one.path = entry_path(name == nullptr ? "" : name);
            one.folder = archive_entry_filetype(entry) == AE_IFDIR;
            one.plain = one.folder || (archive_entry_filetype(entry) == AE_IFREG &&
                                       archive_entry_hardlink(entry) == nullptr);
            if (archive_entry_mtime_is_set(entry) != 0) one.time = archive_entry_mtime(entry);
            if (archive_entry_is_encrypted(entry) != 0)
                refuse_download(download.given, "it is encrypted", "download it without a password");
            download.entries.push_back(std::move(one));
        }
    } catch (const DownloadDamage& damage) {
        // A tar that ends too early has been read up to there; the directory of a zip is at its end.
        if (download.entries.empty())
            refuse_download(download.given,
                            fmt::format("it cannot be read (libarchive says: {})", damage.what()),
                            "download it again");
        download.notes.push_back(
            fmt::format("The download is damaged behind {} entries (libarchive says: {}); what follows is "
                        "missing. Download it "
                        "again.",
                        download.entries.size(), damage.what()));
    }
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
    DownloadArchive archive(download.given);
    for (std::size_t k = 0; k < download.entries.size(); ++k) {
        if (archive.next() == nullptr) break;
        if (k < first || !reader.wanted(k)) continue;
        try {
            if (!archive.method_is_known())
                reader.broken(k, "it is packed by a method that is not read here; pack it with `zip -r`");
            else
                reader.read(k, [&archive] { return archive.data(); });
        } catch (const DownloadDamage& damage) {
            reader.broken(
                k, fmt::format("its part of the download is damaged (libarchive says: {}); download it again",
                               damage.what()));
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
    } catch (const DownloadDamage& damage) {
        for (; next < download.entries.size(); ++next)
            if (reader.wanted(next)) reader.broken(next, damage.what());
    }
}

}  // namespace attn::classes
