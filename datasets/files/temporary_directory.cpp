#include "datasets/files/temporary_directory.h"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace attn::data {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "attention_lab-", kRandom = "XXXXXX";

std::string parent_folder() {
    const char* chosen = std::getenv("TMPDIR");
    return chosen != nullptr && *chosen != '\0' ? chosen : "/tmp";
}

/// Whether `path` is still the directory that was opened.
bool is_still_there(int opened, const std::string& path) {
    struct stat open_one {
    }, named{};
    return fstat(opened, &open_one) == 0 && lstat(path.c_str(), &named) == 0 &&
           open_one.st_ino == named.st_ino && open_one.st_dev == named.st_dev;
}

int open_directory(const std::string& path) {
    return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

}  // namespace

TemporaryDirectory::TemporaryDirectory() {
    constexpr int kTries = 100;
    for (int tries = 0; path_.empty(); ++tries) {
        std::string name = parent_folder() + "/" + std::string(kPrefix) + std::string(kRandom);
        if (tries == kTries || mkdtemp(name.data()) == nullptr)
            throw std::system_error(
                errno, std::generic_category(),
                "cannot make the directory " + name + " (the variable TMPDIR names its parent folder)");
        // Another process that starts now may take the new directory for an abandoned one and remove it.
        lock_ = open_directory(name);
        if (lock_ >= 0) flock(lock_, LOCK_EX);
        if (lock_ >= 0 && is_still_there(lock_, name))
            path_ = name;
        else if (lock_ >= 0)
            close(lock_);
    }
}

TemporaryDirectory::~TemporaryDirectory() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
    if (lock_ >= 0) close(lock_);
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)) {}

fs::path TemporaryDirectory::write(const std::string& name, std::string_view bytes) const {
    fs::path file = path_ / name;
    std::ofstream out(file, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) throw std::runtime_error("cannot write " + file.string());
    return file;
}

void remove_abandoned_directories() {
    std::error_code error;
    fs::directory_iterator each(parent_folder(), error);
    for (; !error && each != fs::directory_iterator(); each.increment(error)) {
        const std::string name = each->path().filename().string();
        if (!name.starts_with(kPrefix) || name.size() != kPrefix.size() + kRandom.size()) continue;
        const int opened = open_directory(each->path().string());
        if (opened < 0) continue;
        struct stat status {};
        std::error_code ignored;
        // A process holds the lock of its directory as long as it lives, in whatever container.
        if (fstat(opened, &status) == 0 && status.st_uid == geteuid() &&
            flock(opened, LOCK_EX | LOCK_NB) == 0)
            fs::remove_all(each->path(), ignored);
        close(opened);
    }
}

}  // namespace attn::data
