#include "grader/cli/file_watch.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "grader/worker/interrupt.h"

namespace attn::cli {
namespace {

constexpr int kQuiet_ms = 40;  ///< a save is complete if nothing has changed for this time
constexpr const char* kRoot = ".";
constexpr std::array kSources = {".cpp", ".cc", ".cu", ".h", ".hpp", ".cuh"};

bool is_source(const std::filesystem::path& file) {
    // Editors write hidden files beside the file that is edited.
    return !file.filename().string().starts_with('.') &&
           std::find(kSources.begin(), kSources.end(), file.extension()) != kSources.end();
}

}  // namespace

FileWatch::FileWatch(const std::filesystem::path& folder)
    : root_(folder), inotify_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    if (inotify_.get() < 0) throw std::system_error(errno, std::generic_category(), "inotify");
    add(kRoot);
}

void FileWatch::add(const std::filesystem::path& folder) {
    constexpr std::uint32_t kChanges =
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ONLYDIR;
    const int watch = inotify_add_watch(inotify_.get(), (root_ / folder).c_str(), kChanges);
    if (watch < 0) {
        // Editors and tools make folders that are gone again, or are another's, before they can be watched.
        const bool passing = errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == EACCES;
        if (passing && folder != kRoot) return;
        throw std::system_error(errno, std::generic_category(), "watching " + (root_ / folder).string());
    }
    folders_[watch] = folder;
    std::error_code gone;
    for (std::filesystem::directory_iterator entry(root_ / folder, gone);
         !gone && entry != std::filesystem::directory_iterator(); entry.increment(gone))
        if (std::error_code other;
            entry->symlink_status(other).type() == std::filesystem::file_type::directory &&
            !entry->path().filename().string().starts_with('.'))
            add(folder / entry->path().filename());
}

bool FileWatch::is_ready(int wait_ms) const {
    pollfd waiting{inotify_.get(), POLLIN, 0};
    const int ready = poll(&waiting, 1, wait_ms);
    worker::throw_if_interrupted();
    return ready > 0;
}

std::set<std::string> FileWatch::changed_now() {
    std::set<std::string> changed;
    alignas(inotify_event) std::array<char, 16384> buffer{};
    ssize_t got = 0;
    while ((got = ::read(inotify_.get(), buffer.data(), buffer.size())) > 0) {
        for (ssize_t at = 0; at < got;) {
            inotify_event event{};
            std::memcpy(&event, buffer.data() + at, sizeof event);
            const char* const name = buffer.data() + at + sizeof event;
            at += static_cast<ssize_t>(sizeof event + event.len);
            const auto folder = folders_.find(event.wd);
            if (folder == folders_.end() || event.len == 0) continue;
            const std::filesystem::path file = (folder->second / name).lexically_normal();
            if ((event.mask & IN_ISDIR) != 0) {
                std::error_code gone;
                if ((event.mask & (IN_CREATE | IN_MOVED_TO)) != 0 &&
                    std::filesystem::is_directory(root_ / file, gone) && name[0] != '.')
                    add(file);
            } else if (is_source(file) && event.mask != IN_CREATE) {  // a new file is written afterwards
                changed.insert(file.string());
            }
        }
    }
    return changed;
}

std::set<std::string> FileWatch::wait() {
    std::set<std::string> changed;
    while (changed.empty()) {
        if (!is_ready(worker::kPollInterval_ms)) continue;
        do changed.merge(changed_now());
        while (is_ready(kQuiet_ms));
    }
    return changed;
}

}  // namespace attn::cli
