#pragma once
/// Child processes of the grader: started with nothing but what is named here, ended as a whole group.

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "grader/worker/sandbox.h"

namespace attn::worker {

using Clock = std::chrono::steady_clock;

/// A file descriptor that closes itself.
class FileDescriptor {
  public:
    explicit FileDescriptor(int fd = -1) : fd_(fd) {}
    FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept;
    ~FileDescriptor() { reset(); }
    int get() const { return fd_; }
    void reset();

  private:
    int fd_;
};

struct Command {
    std::vector<std::string> argv;         ///< argv[0] is a path
    std::vector<std::string> environment;  ///< "NAME=value"; nothing is inherited
    std::vector<int> descriptors;          ///< become 3, 4, ..; stdin is /dev/null
    std::filesystem::path directory = "/";
    Limits limits;
};

/// How a process ended.
struct Ending {
    int exit_code = 0;  ///< where signal is 0
    int signal = 0;
    bool overdue = false;  ///< it did not end by itself in time and was killed
};

/// A running child whose stdout and stderr come through one pipe. The destructor kills its whole group.
class Process {
  public:
    /// Throws std::runtime_error where the program cannot be started: a fault of the grader.
    explicit Process(const Command& command);
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    int output() const { return output_.get(); }
    /// Takes what has been printed since; keeps the first `keep` bytes of all. False at the end of the pipe.
    bool drain(std::size_t keep);
    const std::string& printed() const { return printed_; }
    std::size_t printed_bytes() const { return printed_bytes_; }
    void forget_printed();

    /// Waits for the end; after `deadline` kills first.
    Ending wait(Clock::time_point deadline);
    void kill() const;

  private:
    pid_t pid_ = -1;
    FileDescriptor output_;
    std::string printed_;
    std::size_t printed_bytes_ = 0;
};

/// The moment so many seconds from now.
Clock::time_point in_seconds(double seconds);

/// Milliseconds to poll() for until the deadline or the next glance at interrupts; 0 after the deadline.
int milliseconds_until(Clock::time_point deadline);

struct CommandResult {
    Ending ending;
    bool timed_out = false;
    bool too_much_output = false;
    std::string printed;  ///< stdout and stderr, cut
};

/// Runs a command to its end, at most `time_s` seconds and `output_bytes` of output.
CommandResult run_command(const Command& command, double time_s, std::size_t output_bytes);

/// "a segmentation fault" for SIGSEGV: completes "It ended with ..".
std::string describe_signal(int signal);

}  // namespace attn::worker
