#pragma once
/// Writing a file so that no half of it is ever seen.

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "datasets/file_error.h"

namespace attn::data {

/// A new file beside `target` that takes its place on commit(), and is removed where that is not reached: the
/// target is the old file or the whole new one (a symbolic link is replaced, not followed). Every step throws
/// FileError where it fails; so does a target that is there and is no ordinary file.
class Replacement {
  public:
    explicit Replacement(std::filesystem::path target) : target_(std::move(target)), draft_(target_) {
        // A rename onto a device such as /dev/null would take it away from everybody.
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
        // A disk that is full may say so only now.
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

}  // namespace attn::data
