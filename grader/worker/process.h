#pragma once
/// Child processes of the grader. A child inherits only what its Command names, and is ended with its whole
/// process group.

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sched.h>
#include <sys/types.h>

#include "grader/base/file_descriptor.h"
#include "grader/sandbox/sandbox.h"
#include "grader/sandbox/trace.h"

namespace attn::worker {

using Clock = std::chrono::steady_clock;

struct Command {
    std::vector<std::string> argv;         ///< argv[0] is a path
    std::vector<std::string> environment;  ///< "NAME=value"; nothing is inherited
    std::vector<int> descriptors;          ///< become 3, 4, ..; stdin is /dev/null
    std::filesystem::path directory = "/";
    Confinement confinement;
    bool traced = false;  ///< whether its faults are recorded: see take_fault()
};

/// What the kernel has done with the first thread of a process. The times are NaN if the kernel does not report
/// them or the process has ended.
struct Schedule {
    double ran_s, waited_s;  ///< how long it ran, and was ready to run and waited for a processor
    bool is_ready;           ///< it runs, or waits for a processor
};

/// How a process ended.
struct Ending {
    int exit_code = 0;  ///< valid if signal is 0
    int signal = 0;
    bool overdue = false;  ///< it did not end in time and was killed
};

/// A running child, with one pipe for stdout and stderr. The destructor kills its whole process group.
class Process {
  public:
    /// Throws std::runtime_error if the program cannot be started, which is a fault of the grader.
    explicit Process(const Command& command);
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    int output() const { return output_.get(); }
    /// Reads new output; keeps the first `keep` bytes in total. False at the end of the pipe.
    bool drain(std::size_t keep);
    const std::string& printed() const { return printed_; }
    std::size_t printed_bytes() const { return printed_bytes_; }
    void forget_printed();

    /// The first fault since the last call, as the kernel reports it; nothing if the process is not traced.
    /// This has to be called regularly for a traced process, because the process stays stopped at a signal
    /// until then.
    std::optional<Fault> take_fault();
    bool traced() const { return trace_.active(); }

    /// Stops all threads, and returns when they have stopped. False if the process has ended.
    bool stop();
    /// Continues the threads if they are stopped.
    void resume();
    /// Processor time of all its threads, in seconds.
    double cpu_s() const;
    int threads() const;
    std::size_t peak_memory_kib() const;
    Schedule schedule() const;
    /// Restricts it to these processors.
    void pin(const cpu_set_t& processors) const;

    /// Waits until the process ends; kills it after `deadline`.
    Ending wait(Clock::time_point deadline);
    void kill() const;
    /// Sends a signal to its first thread.
    void send_signal(int signal) const;

  private:
    Sandbox sandbox_;
    bool has_own_group_ = true, stopped_ = false;
    pid_t pid_ = -1;
    Trace trace_;
    FileDescriptor output_;
    std::string printed_;
    std::size_t printed_bytes_ = 0;
};

/// The time `seconds` from now.
Clock::time_point in_seconds(double seconds);

/// How long to poll(), in milliseconds: until the deadline, but not longer than the interval at which
/// interrupts, or the faults of a traced process, have to be checked. 0 after the deadline.
int milliseconds_until(Clock::time_point deadline, bool traced = false);

struct CommandResult {
    Ending ending;
    bool timed_out = false;
    bool too_much_output = false;
    std::string printed;  ///< stdout and stderr, shortened
};

inline bool succeeded(const CommandResult& result) {
    return !result.timed_out && !result.too_much_output && result.ending.signal == 0 &&
           result.ending.exit_code == 0;
}

/// Runs a command until it ends, or until it has run for `time_s` seconds or printed `output_bytes` bytes.
CommandResult run_command(const Command& command, double time_s, std::size_t output_bytes);

/// "a segmentation fault" for SIGSEGV: completes "It ended with ..".
std::string describe_signal(int signal);

}  // namespace attn::worker
