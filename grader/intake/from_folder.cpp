#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <stdexcept>
#include <system_error>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/file_descriptor.h"
#include "grader/intake/intake_folder.h"

namespace attn::intake {
namespace {

std::string error_text(int error) {
    return std::generic_category().message(error);
}

std::string kind_of(mode_t mode) {
    return S_ISFIFO(mode)   ? "a pipe"
           : S_ISSOCK(mode) ? "a socket"
           : S_ISLNK(mode)  ? "a symbolic link"
                            : "a device";
}

/// Where a symbolic link leads: ' to "/etc/passwd"'. Empty if that cannot be read.
std::string target_of(int folder, const std::string& name) {
    std::array<char, 1024> text{};
    const ssize_t length = readlinkat(folder, name.c_str(), text.data(), text.size());
    return length <= 0 ? "" : " to " + shown({text.data(), static_cast<std::size_t>(length)});
}

class FolderReader {
  public:
    explicit FolderReader(IntakeFolder& target) : target_(target) {}

    void add_folder(FileDescriptor opened, const std::string& prefix) {
        for (const std::string& name : names_in(opened, prefix)) add_entry(opened.get(), prefix, name);
    }

  private:
    /// The sorted names in a folder, at most one more than the limit of entries.
    std::vector<std::string> names_in(const FileDescriptor& opened, const std::string& prefix) {
        FileDescriptor copy(fcntl(opened.get(), F_DUPFD_CLOEXEC, 0));
        const std::unique_ptr<DIR, int (*)(DIR*)> stream(copy.get() >= 0 ? fdopendir(copy.get()) : nullptr,
                                                         closedir);
        if (!stream) throw std::system_error(errno, std::generic_category(), "cannot list " + prefix);
        copy.release();
        std::vector<std::string> names;
        while (const dirent* each = readdir(stream.get())) {
            const std::string name = each->d_name;
            if (name != "." && name != "..") names.push_back(name);
            if (names.size() > static_cast<std::size_t>(target_.limits().entries)) break;
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    void add_entry(int parent, const std::string& prefix, const std::string& name) {
        const auto admitted = target_.admit(prefix + name);
        if (!admitted) return;
        struct stat seen {};
        if (fstatat(parent, name.c_str(), &seen, AT_SYMLINK_NOFOLLOW) != 0)
            return target_.leave_out(prefix + name, "which cannot be read: " + error_text(errno));
        if (!S_ISREG(seen.st_mode) && !S_ISDIR(seen.st_mode))
            return target_.leave_out(prefix + name,
                                     kind_of(seen.st_mode) +
                                         (S_ISLNK(seen.st_mode) ? target_of(parent, name) : "") +
                                         "; hand in the file itself");
        // The entry may have been replaced since fstatat(): do not follow a link, do not wait for a pipe.
        FileDescriptor opened(
            openat(parent, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
        struct stat now {};
        if (opened.get() < 0 || fstat(opened.get(), &now) != 0)
            return target_.leave_out(
                prefix + name,
                fmt::format("which cannot be read ({}); change its permissions", error_text(errno)));
        if (S_ISDIR(now.st_mode))
            add_folder(std::move(opened), prefix + name + "/");
        else if (S_ISREG(now.st_mode))
            add_file(opened.get(), *admitted, static_cast<std::uintmax_t>(now.st_size));
    }

    void add_file(int fd, const std::string& name, std::uintmax_t size) {
        target_.add_file(name, size, [&]() -> std::string_view {
            const ssize_t count = read(fd, buffer_.data(), buffer_.size());
            if (count < 0)
                target_.refuse(fmt::format("{} cannot be read ({})", shown(name), error_text(errno)),
                               "expected a readable file", "check the disk, or remove the file");
            return {buffer_.data(), static_cast<std::size_t>(count)};
        });
    }

    IntakeFolder& target_;
    std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 16);
};

}  // namespace

void copy_folder(const std::filesystem::path& folder, IntakeFolder& target) {
    FileDescriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (opened.get() < 0)
        target.refuse(fmt::format("the folder cannot be read ({})", error_text(errno)),
                      "expected a readable folder", "change its permissions");
    FolderReader(target).add_folder(std::move(opened), "");
}

}  // namespace attn::intake
