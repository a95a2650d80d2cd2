#include "grader/compile/build_cache.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <system_error>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace attn::compile {
namespace {

constexpr std::string_view kMagic = "attention_lab build 1\n", kEnding = ".build", kDraft = ".draft";

std::string file_name_for(const std::string& key) {
    return fmt::format("{:016x}{}", std::hash<std::string>()(key), kEnding);
}

bool is_ours(const struct stat& status, mode_t not_for_others) {
    return status.st_uid == geteuid() && (status.st_mode & not_for_others) == 0;
}

FileDescriptor open_private(const std::filesystem::path& folder) {
    if (folder.empty() || !folder.is_absolute()) return FileDescriptor();
    std::error_code ignored;
    std::filesystem::create_directories(folder.parent_path(), ignored);
    mkdir(folder.c_str(), S_IRWXU);
    FileDescriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    if (opened.get() < 0 || fstat(opened.get(), &status) != 0 || !is_ours(status, S_IRWXG | S_IRWXO))
        return FileDescriptor();
    return std::move(opened).moved_to_high_number();
}

std::string checksum_of(std::string_view bytes) {
    return fmt::format("{:08x}", crc32_z(crc32_z(0, nullptr, 0), reinterpret_cast<const Bytef*>(bytes.data()),
                                         bytes.size()));
}

void append(std::string& entry, std::string_view part) {
    entry += fmt::format("{}\n", part.size());
    entry += part;
}

/// Removes the next part from an entry and returns it; nothing if the entry is damaged.
std::optional<std::string> take(std::string_view& entry) {
    constexpr std::size_t kDigits = 10;
    const auto end = entry.substr(0, kDigits + 1).find('\n');
    if (end == std::string_view::npos || end == 0) return std::nullopt;
    std::size_t bytes = 0;
    for (const char digit : entry.substr(0, end)) {
        if (digit < '0' || digit > '9') return std::nullopt;
        bytes = 10 * bytes + static_cast<std::size_t>(digit - '0');
    }
    entry.remove_prefix(end + 1);
    if (bytes > entry.size()) return std::nullopt;
    std::string part(entry.substr(0, bytes));
    entry.remove_prefix(bytes);
    return part;
}

std::optional<CachedBuild> read_entry(std::string_view entry, const std::string& key) {
    constexpr std::size_t kChecksum = 8;
    if (!entry.starts_with(kMagic) || entry.size() < kMagic.size() + kChecksum) return std::nullopt;
    if (entry.substr(entry.size() - kChecksum) != checksum_of(entry.substr(0, entry.size() - kChecksum)))
        return std::nullopt;
    entry.remove_suffix(kChecksum);
    entry.remove_prefix(kMagic.size());
    if (take(entry) != key) return std::nullopt;
    auto library = take(entry);
    if (!library) return std::nullopt;
    CachedBuild build{std::move(*library), {}};
    while (!entry.empty()) {
        auto message = take(entry);
        if (!message) return std::nullopt;
        build.messages.push_back(std::move(*message));
    }
    return build;
}

std::string entry_of(const std::string& key, const CachedBuild& build) {
    std::string entry(kMagic);
    append(entry, key);
    append(entry, build.library);
    for (const std::string& message : build.messages) append(entry, message);
    return entry + checksum_of(entry);
}

bool write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = write(file, bytes.data(), bytes.size());
        if (written < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace

BuildCache::BuildCache(const std::filesystem::path& folder, const CacheLimits& limits)
    : limits_(limits), folder_(open_private(folder)) {}

std::optional<CachedBuild> BuildCache::find(const std::string& key) const {
    if (!active()) return std::nullopt;
    const FileDescriptor file(openat(folder_.get(), file_name_for(key).c_str(),
                                     O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    struct stat status {};
    if (file.get() < 0 || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
        !is_ours(status, S_IWGRP | S_IWOTH) || static_cast<std::size_t>(status.st_size) > limits_.entry_bytes)
        return std::nullopt;
    std::string entry(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t got = 0;
    for (ssize_t some = 1; got < entry.size() && some > 0;
         got += static_cast<std::size_t>(std::max<ssize_t>(some, 0)))
        some = read(file.get(), entry.data() + got, entry.size() - got);
    if (got != entry.size()) return std::nullopt;
    auto build = read_entry(entry, key);
    if (build) futimens(file.get(), nullptr);  // marks it as recently used
    return build;
}

void BuildCache::store(const std::string& key, const CachedBuild& build) const {
    const std::string entry = entry_of(key, build), name = file_name_for(key);
    if (!active() || entry.size() > limits_.entry_bytes) return;
    static std::atomic<unsigned> counter = 0;
    const std::string draft = fmt::format("{}-{}-{}{}", name, getpid(), counter++, kDraft);
    constexpr int kNew = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    const FileDescriptor file(openat(folder_.get(), draft.c_str(), kNew, S_IRUSR | S_IWUSR));
    if (file.get() < 0) return;
    if (!write_all(file.get(), entry) ||
        renameat(folder_.get(), draft.c_str(), folder_.get(), name.c_str()) != 0)
        unlinkat(folder_.get(), draft.c_str(), 0);
    remove_oldest();
}

void BuildCache::remove_oldest() const {
    struct Found {
        std::string name;
        std::size_t bytes;
        timespec used;
    };
    FileDescriptor copy(openat(folder_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const std::unique_ptr<DIR, int (*)(DIR*)> stream(copy.get() >= 0 ? fdopendir(copy.get()) : nullptr,
                                                     closedir);
    if (!stream) return;
    copy.release();
    std::vector<Found> all;
    std::size_t total = 0;
    while (const dirent* each = readdir(stream.get())) {
        const std::string_view name = each->d_name;
        struct stat status {};
        if (!(name.ends_with(kEnding) || name.ends_with(kDraft)) ||
            fstatat(folder_.get(), each->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            S_ISDIR(status.st_mode))
            continue;
        all.push_back({std::string(name), static_cast<std::size_t>(status.st_size), status.st_mtim});
        total += all.back().bytes;
    }
    if (total <= limits_.total_bytes && all.size() <= limits_.entries) return;
    std::sort(all.begin(), all.end(), [](const Found& a, const Found& b) {
        return std::pair(a.used.tv_sec, a.used.tv_nsec) < std::pair(b.used.tv_sec, b.used.tv_nsec);
    });
    // Remove down to half of the limits, so that the next store() does not have to remove again.
    std::size_t left = all.size();
    for (const Found& each : all) {
        if (total <= limits_.total_bytes / 2 && left <= limits_.entries / 2) break;
        unlinkat(folder_.get(), each.name.c_str(), 0);
        total -= each.bytes;
        --left;
    }
}

std::filesystem::path default_cache_folder() {
    const auto from = [](const char* variable) {
        const char* value = std::getenv(variable);
        return std::filesystem::path(value == nullptr ? "" : value);
    };
    if (const auto cache = from("XDG_CACHE_HOME"); cache.is_absolute()) return cache / "attention_lab";
    if (const auto home = from("HOME"); home.is_absolute()) return home / ".cache" / "attention_lab";
    return {};
}

}  // namespace attn::compile
