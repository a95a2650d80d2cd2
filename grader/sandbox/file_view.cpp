#include "grader/sandbox/file_view.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace attn::worker {
namespace {

namespace fs = std::filesystem;

/// An existing folder, below which nothing is shown: the new root is mounted there.
constexpr const char* kRoot = "/sys";
constexpr mode_t kFolderMode = 0755;

bool write_file(const char* path, std::string_view text) noexcept {
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    const bool ok = file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (file >= 0) close(file);
    return ok;
}

/// "1000 1000 1\n": the same number inside and outside, and no other.
std::string same_number(unsigned number) {
    return std::to_string(number) + " " + std::to_string(number) + " 1\n";
}

bool is_below(const fs::path& path, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

bool try_in_child() {
    const FileView view({{"/usr"}, {}});
    const pid_t child = fork();
    if (child == 0) {
        struct stat status {};
        _exit(view.enter() && stat("/usr", &status) == 0 && stat("/etc/passwd", &status) != 0 ? 0 : 1);
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

bool can_have_file_view() {
    static const bool can = try_in_child();
    return can;
}

FileView::FileView(const FileAccess& access) {
    if (geteuid() != 0) {
        user_map_ = same_number(geteuid());
        group_map_ = same_number(getegid());
    }
    std::vector<fs::path> paths = access.readable;
    paths.insert(paths.end(), access.writable.begin(), access.writable.end());
    paths.emplace_back("/proc");
    std::vector<fs::path> shown;
    for (const fs::path& each : paths) {
        const fs::path path = fs::absolute(each).lexically_normal();
        std::error_code missing;
        const bool is_folder = fs::is_directory(path, missing);
        if (missing || !fs::exists(path, missing)) continue;
        shown.push_back(path);
        Entry entry{path.string(), kRoot + path.string(), {}, is_folder};
        std::string folder = kRoot;
        for (const fs::path& name : (is_folder ? path : path.parent_path()).relative_path())
            entry.folders.push_back(folder += "/" + name.string());
        entries_.push_back(std::move(entry));
    }
    // What lies in a shown folder is there already.
    std::erase_if(entries_, [&shown](const Entry& entry) {
        return std::any_of(shown.begin(), shown.end(), [&entry](const fs::path& folder) {
            return entry.path != folder.string() && is_below(entry.path, folder);
        });
    });
    const auto by_path = [](const Entry& a, const Entry& b) { return a.path < b.path; };
    const auto same_path = [](const Entry& a, const Entry& b) { return a.path == b.path; };
    std::sort(entries_.begin(), entries_.end(), by_path);
    entries_.erase(std::unique(entries_.begin(), entries_.end(), same_path), entries_.end());
}

bool FileView::make(const Entry& entry) noexcept {
    for (const std::string& folder : entry.folders) mkdir(folder.c_str(), kFolderMode);
    if (!entry.is_folder) {
        const int file = open(entry.place.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR);
        if (file < 0) return false;
        close(file);
    }
    return mount(entry.path.c_str(), entry.place.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0;
}

bool FileView::enter() const noexcept {
    std::array<char, PATH_MAX> here{};
    if (syscall(SYS_getcwd, here.data(), here.size()) <= 0) return false;
    if (unshare(CLONE_NEWNS | (user_map_.empty() ? 0 : CLONE_NEWUSER)) != 0) return false;
    if (!user_map_.empty() &&
        (!write_file("/proc/self/setgroups", "deny") || !write_file("/proc/self/uid_map", user_map_) ||
         !write_file("/proc/self/gid_map", group_map_)))
        return false;
    if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("view", kRoot, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755") != 0)
        return false;
    const mode_t before = umask(0);
    const bool made =
        std::all_of(entries_.begin(), entries_.end(), [](const Entry& entry) { return make(entry); });
    umask(before);
    // The old root is mounted over the new one and taken away.
    return made && chdir(kRoot) == 0 && syscall(SYS_pivot_root, ".", ".") == 0 &&
           umount2(".", MNT_DETACH) == 0 && chdir("/") == 0 && (chdir(here.data()) == 0 || errno == ENOENT);
}

}  // namespace attn::worker
