#include "grader/sandbox/landlock.h"

#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace attn::worker {
namespace {

/// landlock_ruleset_attr of version 6, because older headers lack some members.
struct Handled {
    std::uint64_t files = 0, network = 0, scoped = 0;
};

constexpr std::uint64_t kReadFile = LANDLOCK_ACCESS_FS_READ_FILE, kReadFolder = LANDLOCK_ACCESS_FS_READ_DIR,
                        kExecute = LANDLOCK_ACCESS_FS_EXECUTE,
                        kWrite = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                                 LANDLOCK_ACCESS_FS_MAKE_REG;
constexpr std::uint64_t kTruncate = 1U << 14;  // since version 3

/// All file rights that a version knows. Rights that are not granted are denied.
std::uint64_t all_file_rights(int version) {
    constexpr std::uint64_t kFirst = (1U << 13) - 1, kRefer = 1U << 13, kDeviceControl = 1U << 15;
    return kFirst | (version >= 2 ? kRefer : 0) | (version >= 3 ? kTruncate : 0) |
           (version >= 5 ? kDeviceControl : 0);
}

void grant(int rules, const std::filesystem::path& path, std::uint64_t folder_rights,
           std::uint64_t file_rights) {
    const FileDescriptor file(open(path.c_str(), O_PATH | O_CLOEXEC));
    struct stat status {};
    if (file.get() < 0 || fstat(file.get(), &status) != 0) return;
    landlock_path_beneath_attr rule{};
    rule.allowed_access = S_ISDIR(status.st_mode) ? folder_rights : file_rights;
    rule.parent_fd = file.get();
    if (syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
        throw std::system_error(errno, std::generic_category(), "landlock_add_rule " + path.string());
}

}  // namespace

int landlock_version() noexcept {
    const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version < 0 ? 0 : static_cast<int>(version);
}

FileDescriptor make_landlock_rules(const FileAccess& access) {
    const int version = landlock_version();
    constexpr std::uint64_t kBindAndConnect = 3, kAbstractSocketsAndSignals = 3;
    Handled handled{all_file_rights(version), version >= 4 ? kBindAndConnect : 0,
                    version >= 6 ? kAbstractSocketsAndSignals : 0};
    const std::size_t bytes = version >= 6 ? sizeof handled : version >= 4 ? 16 : 8;
    FileDescriptor rules(static_cast<int>(syscall(SYS_landlock_create_ruleset, &handled, bytes, 0)));
    if (rules.get() < 0) throw std::system_error(errno, std::generic_category(), "landlock_create_ruleset");
    for (const auto& path : access.readable)
        grant(rules.get(), path, kReadFile | kReadFolder | kExecute, kReadFile | kExecute);
    const std::uint64_t write = kWrite | (version >= 3 ? kTruncate : 0);
    for (const auto& path : access.writable)
        grant(rules.get(), path, kReadFile | kReadFolder | write,
              kReadFile | LANDLOCK_ACCESS_FS_WRITE_FILE | (version >= 3 ? kTruncate : 0));
    return std::move(rules).moved_to_high_number();
}

bool enter_landlock(const FileDescriptor& rules) noexcept {
    return syscall(SYS_landlock_restrict_self, rules.get(), 0) == 0;
}

}  // namespace attn::worker
