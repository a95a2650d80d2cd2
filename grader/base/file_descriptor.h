#pragma once

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace attn {

/// Throws the std::system_error of a system call that has just failed; `what` names the call.
[[noreturn]] inline void throw_system_error(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

/// A file descriptor that closes itself.
class FileDescriptor {
  public:
    explicit FileDescriptor(int fd = -1) : fd_(fd) {}
    FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept {
        if (this != &other) {
            reset();
            fd_ = std::exchange(other.fd_, -1);
        }
        return *this;
    }
    ~FileDescriptor() { reset(); }
    int get() const { return fd_; }
    /// Gives up ownership: the caller has to close the file.
    int release() { return std::exchange(fd_, -1); }
    /// Moves the file to a number of at least 256, because the low numbers are for the files of a child
    /// process.
    FileDescriptor moved_to_high_number() && {
        constexpr int kLowest = 256;
        FileDescriptor moved(fcntl(fd_, F_DUPFD_CLOEXEC, kLowest));
        reset();
        return moved;
    }
    void reset() {
        if (fd_ >= 0) close(fd_);
        fd_ = -1;
    }

  private:
    int fd_;
};

}  // namespace attn
