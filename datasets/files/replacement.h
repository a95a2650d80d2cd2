#pragma once
/// Replaces a file atomically: readers see the old file or the complete new one.

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "datasets/files/file_error.h"

namespace attn::data {

/// A new file in the folder of `target`, which replaces `target` on commit(). Without commit() it is removed,
/// and the target stays as it is. A symbolic link is replaced, not followed. Every step throws FileError if
/// it fails, and the constructor throws it if `target` exists and is not a regular file.
class Replacement {
  public:
    explicit Replacement(std::filesystem::path target) : target_(std::move(target)), draft_(target_) {
        // A rename over a device such as /dev/null would remove the device.
        std::error_code ignored;
        if (std::filesystem::exists(target_, ignored) && !std::filesystem::is_regular_file(target_, ignored))
            fail("it is a directory, a pipe or a device");
        static std::atomic<unsigned> counter = 0;
        draft_ += ".tmp-" + std::to_string(getpid()) + "-" + std::to_string(counter++);
        file_ = std::fopen(draft_.c_str(), "wbxe");
        if (file_ == nullptr) fail_with(errno);
    }
    ~Replacement() {
        if (file_ != nullptr) std::fclose(file_);
        std::error_code ignored;
        if (!draft_.empty()) std::filesystem::remove(draft_, ignored);
    }
    Replacement(const Replacement&) = delete;
    Replacement& operator=(const Replacement&) = delete;

    void write(const void* data, std::size_t size) {
        if (size > 0 && std::fwrite(data, 1, size, file_) != size) fail_with(errno);
    }
    void commit() {
        // A full disk may be reported only now.
        if (std::fclose(std::exchange(file_, nullptr)) != 0) fail_with(errno);
        std::error_code error;
        std::filesystem::rename(draft_, target_, error);
        if (error) fail_with(error.value());
        draft_.clear();
    }

  private:
    [[noreturn]] void fail(const std::string& why) const {
        throw FileError(target_, "it cannot be written (" + why + ")",
                        "expected a folder that exists, a disk with room and the right to write",
                        "make the folder or name another place");
    }
    [[noreturn]] void fail_with(int error) const { fail(std::generic_category().message(error)); }

    std::filesystem::path target_;
    std::filesystem::path draft_;
    std::FILE* file_ = nullptr;
};

/// Writes a file completely or not at all. Throws FileError.
inline void write_file(const std::filesystem::path& path, std::string_view text) {
    Replacement file(path);
    file.write(text.data(), text.size());
    file.commit();
}

}  // namespace attn::data
