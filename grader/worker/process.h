#pragma once
/// Child processes of the grader: started with nothing but what is named here, ended as a whole group.

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sched.h>
#include <sys/types.h>

#include "grader/sandbox/sandbox.h"
#include "grader/worker/file_descriptor.h"
#include "grader/worker/trace.h"

namespace attn::worker {

using Clock = std::chrono::steady_clock;

struct Command {
    std::vector<std::string> argv;         ///< argv[0] is a path
    std::vector<std::string> environment;  ///< "NAME=value"; nothing is inherited
    std::vector<int> descriptors;          ///< become 3, 4, ..; stdin is /dev/null
    std::filesystem::path directory = "/";
    Confinement confinement;
    bool traced = false;  ///< its faults are asked for
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

    /// The first fault since it was last asked for, as the kernel tells it; nothing where tracing is not
    /// possible. A traced process has to be asked now and then: it stops at a fault until it is.
    std::optional<Fault> take_fault();
    bool traced() const { return trace_.active(); }

    /// Makes all of its threads stand still; returns when they do. False where it has ended.
    bool stop();
    /// Lets them go on, if they stand.
    void resume();
    /// Processor time that its threads have used, in seconds.
    double cpu_s() const;
    int threads() const;
    std::size_t peak_memory_kib() const;
    /// For how long its first thread could have run and had to wait for its turn, in seconds; NaN where the
    /// kernel does not say.
    double waited_s() const;
    /// Keeps it to these processors.
    void pin(const cpu_set_t& processors) const;

    /// Waits for the end; after `deadline` kills first.
    Ending wait(Clock::time_point deadline);
    void kill() const;

  private:
    Sandbox sandbox_;
    bool as_a_group_ = true, stopped_ = false;
    pid_t pid_ = -1;
    Trace trace_;
    FileDescriptor output_;
    std::string printed_;
    std::size_t printed_bytes_ = 0;
};

/// The moment so many seconds from now.
Clock::time_point in_seconds(double seconds);

/// Milliseconds to poll() for until the deadline or the next glance at interrupts or, of a traced process, at
/// its faults; 0 after the deadline.
int milliseconds_until(Clock::time_point deadline, bool traced = false);

struct CommandResult {
    Ending ending;
    bool timed_out = false;
    bool too_much_output = false;
    std::string printed;  ///< stdout and stderr, cut
};

inline bool succeeded(const CommandResult& result) {
    return !result.timed_out && !result.too_much_output && result.ending.signal == 0 &&
           result.ending.exit_code == 0;
}

/// Runs a command to its end, at most `time_s` seconds and `output_bytes` of output.
CommandResult run_command(const Command& command, double time_s, std::size_t output_bytes);

/// "a segmentation fault" for SIGSEGV: completes "It ended with ..".
std::string describe_signal(int signal);

}  // namespace attn::worker
