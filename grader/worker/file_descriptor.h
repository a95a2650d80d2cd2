#pragma once

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace attn::worker {

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
    /// Leaves the file open, for somebody else to close.
    int release() { return std::exchange(fd_, -1); }
    /// The same file under a number from 256 on, out of the way of those that a child is given.
    FileDescriptor moved_aside() && {
        constexpr int kAside = 256;
        FileDescriptor moved(fcntl(fd_, F_DUPFD_CLOEXEC, kAside));
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

}  // namespace attn::worker
