#include "grader/worker/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <limits>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/base/file_descriptor.h"
#include "grader/sandbox/dumpable.h"
#include "grader/worker/interrupt.h"

namespace attn::worker {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& strings) {
    std::vector<char*> result;
    result.reserve(strings.size() + 1);
    for (const std::string& s : strings) result.push_back(const_cast<char*>(s.c_str()));
    result.push_back(nullptr);
    return result;
}

constexpr int kTracePoll_ms = 1;  ///< how long a traced child may stay stopped at a signal

/// Why a child could not run its program. The child writes this to a pipe, which a successful exec closes.
enum class StartError : char { none, sandbox, exec };

/// Everything that the child needs between fork and exec. The parent prepares it, because the child must not
/// allocate memory.
struct ChildSetup {
    std::vector<char*> argv, environment;
    std::string directory;
    FileDescriptor program;  ///< opened by the parent: the child's user may not have access to its folder
    int output, error, go;   ///< the child's ends of the three pipes
    std::vector<int> descriptors;
    std::array<int, 64> moved{};
};

/// Runs in the child between fork and exec, so it makes system calls only.
[[noreturn]] void exec_program(ChildSetup& setup, const Sandbox& sandbox) {
    // A program that ignores a signal, such as Python with SIGXFSZ, hands that down to the programs that it runs.
    for (const int signal : {SIGXFSZ, SIGPIPE, SIGXCPU, SIGALRM, SIGCHLD}) std::signal(signal, SIG_DFL);
    // First move all files to high numbers, so that dup2() overwrites none of them.
    constexpr int kHigh = 128;
    const auto to_high = [](int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, kHigh); };
    const int count = static_cast<int>(setup.descriptors.size()), last = 3 + count;
    const int null = open("/dev/null", O_RDONLY), output = to_high(setup.output),
              error = to_high(setup.error), go = to_high(setup.go), program = to_high(setup.program.get());
    for (int k = 0; k < count; ++k)
        setup.moved[static_cast<std::size_t>(k)] = to_high(setup.descriptors[static_cast<std::size_t>(k)]);
    dup2(null, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    for (int k = 0; k < count; ++k) dup2(setup.moved[static_cast<std::size_t>(k)], 3 + k);
    dup3(error, last, O_CLOEXEC);
    char byte = 0;
    while (read(go, &byte, 1) < 0 && errno == EINTR) {  // until the parent has begun to trace
    }
    StartError reason = StartError::sandbox;
    if (chdir(setup.directory.c_str()) == 0 && sandbox.enter(last)) {
        reason = StartError::exec;
        execve(setup.argv[0], setup.argv.data(), setup.environment.data());
        syscall(SYS_execveat, program, "", setup.argv.data(), setup.environment.data(), AT_EMPTY_PATH);
    }
    [[maybe_unused]] const ssize_t sent = write(last, &reason, 1);
    _exit(EXIT_FAILURE);
}

/// A number in /proc/PID/status; 0 if the process has ended.
std::size_t status_of(pid_t pid, const std::string& line) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    std::size_t number = 0;
    for (std::string word; status >> word;)
        if (word == line) return status >> number, number;
    return 0;
}

}  // namespace

Process::Process(const Command& command)
    : sandbox_(command.confinement), has_own_group_(command.confinement.layers.has(Layer::group)) {
    // Dumpable locks, so one process starts at a time. Otherwise the child of another thread would hold these
    // pipes open between fork and exec, and two children with each other's pipes would wait forever.
    const Dumpable open_until_it_runs(true);
    std::array<int, 2> output_pipe{}, error_pipe{}, go_pipe{};
    if (pipe2(output_pipe.data(), O_CLOEXEC) != 0) throw_system_error("pipe");
    output_ = FileDescriptor(output_pipe[0]);
    const FileDescriptor output_end(output_pipe[1]);
    if (fcntl(output_.get(), F_SETFL, O_NONBLOCK) != 0) throw_system_error("fcntl");
    if (pipe2(error_pipe.data(), O_CLOEXEC) != 0) throw_system_error("pipe");
    const FileDescriptor error(error_pipe[0]);
    FileDescriptor error_end(error_pipe[1]);
    if (pipe2(go_pipe.data(), O_CLOEXEC) != 0) throw_system_error("pipe");
    const FileDescriptor go_end(go_pipe[0]);
    FileDescriptor go(go_pipe[1]);

    std::vector<std::string> environment = command.environment;
    if (!command.confinement.layers.has(Layer::environment))
        for (char** each = environ; *each != nullptr; ++each) environment.emplace_back(*each);
    ChildSetup setup{pointers(command.argv),
                     pointers(environment),
                     command.directory.string(),
                     FileDescriptor(open(command.argv.at(0).c_str(), O_PATH | O_CLOEXEC)),
                     output_end.get(),
                     error_end.get(),
                     go_end.get(),
                     command.descriptors};
    if (setup.descriptors.size() > setup.moved.size())
        throw std::logic_error("too many descriptors for a process");
    pid_ = fork();
    if (pid_ < 0) throw_system_error("fork");
    if (pid_ == 0) {
        close(go.get());  // otherwise the child would hold its own pipe open and wait forever
        exec_program(setup, sandbox_);
    }
    error_end.reset();
    if (command.traced && command.confinement.layers.has(Layer::trace)) trace_.begin(pid_);
    go.reset();
    StartError reason = StartError::none;
    for (;;) {
        trace_.handle_stops();
        pollfd waiting{error.get(), POLLIN, 0};
        if (poll(&waiting, 1, kTracePoll_ms) > 0 && read(error.get(), &reason, 1) >= 0) break;
    }
    if (reason == StartError::none) return;
    kill();
    waitpid(pid_, nullptr, __WALL);
    pid_ = -1;
    throw std::runtime_error("cannot start " + command.argv.at(0) +
                             (reason == StartError::exec ? ": it is not a program that can run here"
                                                         : ": its limits or its folder " +
                                                               command.directory.string() + " were refused"));
}

Process::~Process() {
    if (pid_ > 0) {
        kill();
        waitpid(pid_, nullptr, __WALL);
    }
}

void Process::kill() const {
    if (pid_ <= 0) return;
    if (has_own_group_) ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);  // it may not have its own group yet
}

void Process::send_signal(int signal) const {
    if (pid_ > 0) syscall(SYS_tgkill, pid_, pid_, signal);
}

std::optional<Fault> Process::take_fault() {
    trace_.handle_stops();
    return trace_.take_fault();
}

bool Process::drain(std::size_t keep) {
    std::array<char, 65536> buffer{};
    const ssize_t got = read(output_.get(), buffer.data(), buffer.size());
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    const auto bytes = static_cast<std::size_t>(got);
    printed_.append(buffer.data(), std::min(bytes, keep - std::min(keep, printed_.size())));
    printed_bytes_ += bytes;
    return got > 0;
}

void Process::forget_printed() {
    printed_.clear();
    printed_bytes_ = 0;
}

bool Process::stop() {
    if (stopped_) return true;
    if (traced()) return stopped_ = trace_.stop();
    if (::kill(pid_, SIGSTOP) != 0) throw_system_error("stopping a worker");
    siginfo_t seen{};
    while (waitid(P_PID, static_cast<id_t>(pid_), &seen, WSTOPPED | WEXITED | WNOWAIT | __WALL) != 0)
        if (errno != EINTR) throw_system_error("waitid");
    if (seen.si_code != CLD_STOPPED) return false;
    waitid(P_PID, static_cast<id_t>(pid_), &seen, WSTOPPED | WNOHANG | __WALL);
    return stopped_ = true;
}

void Process::resume() {
    if (!std::exchange(stopped_, false)) return;
    if (traced())
        trace_.resume();
    else
        ::kill(pid_, SIGCONT);
}

double Process::cpu_s() const {
    clockid_t clock{};
    timespec used{};
    if (clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &used) != 0)
        throw_system_error("reading a worker's processor time");
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

int Process::threads() const {
    return static_cast<int>(status_of(pid_, "Threads:"));
}

std::size_t Process::peak_memory_kib() const {
    return status_of(pid_, "VmHWM:");
}

Schedule Process::schedule() const {
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    const std::string folder = "/proc/" + std::to_string(pid_);
    std::ifstream times(folder + "/schedstat"), state(folder + "/stat");
    double ran_ns = kNaN, waited_ns = kNaN;
    if (!(times >> ran_ns >> waited_ns)) ran_ns = waited_ns = kNaN;
    std::string line;  // "PID (NAME) STATE ..": the process can give itself any name
    std::getline(state, line);
    const std::size_t name_end = line.rfind(')');
    const bool is_ready = name_end != std::string::npos && line.compare(name_end, 3, ") R") == 0;
    return {ran_ns * 1e-9, waited_ns * 1e-9, is_ready};
}

void Process::pin(const cpu_set_t& processors) const {
    // Ignore a failure: the process may have ended.
    sched_setaffinity(pid_, sizeof processors, &processors);
}

Ending Process::wait(Clock::time_point deadline) {
    siginfo_t ended{};
    bool overdue = false;
    while (ended.si_pid != pid_) {
        trace_.handle_stops();
        if (waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0 &&
            errno != EINTR)
            throw_system_error("waitid");
        if (ended.si_pid == pid_) break;
        if (!overdue && Clock::now() >= deadline) {
            kill();
            overdue = true;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    kill();  // ends its group before the system can reuse the number
    int status = 0;
    waitpid(pid_, &status, __WALL);
    pid_ = -1;
    return WIFSIGNALED(status) ? Ending{0, WTERMSIG(status), overdue}
                               : Ending{WEXITSTATUS(status), 0, overdue};
}

Clock::time_point in_seconds(double seconds) {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

int milliseconds_until(Clock::time_point deadline, bool traced) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return static_cast<int>(std::clamp<long long>(left, 0, traced ? kTracePoll_ms : kPollInterval_ms));
}

CommandResult run_command(const Command& command, double time_s, std::size_t output_bytes) {
    Process process(command);
    const auto deadline = in_seconds(time_s);
    CommandResult result;
    for (;;) {
        pollfd waiting{process.output(), POLLIN, 0};
        throw_if_interrupted();
        const int ready = poll(&waiting, 1, milliseconds_until(deadline));
        if ((ready < 0 && errno == EINTR) || (ready == 0 && Clock::now() < deadline)) continue;
        result.timed_out = ready == 0;
        if (ready <= 0 || !process.drain(output_bytes)) break;
        result.too_much_output = process.printed_bytes() > output_bytes;
        if (result.too_much_output) break;
    }
    if (result.timed_out || result.too_much_output) process.kill();
    result.ending = process.wait(deadline);
    result.printed = process.printed();
    return result;
}

std::string describe_signal(int signal) {
    switch (signal) {
        case SIGSEGV:
            return "a segmentation fault";
        case SIGBUS:
            return "a bus error";
        case SIGFPE:
            return "a division of an integer by zero";
        case SIGABRT:
            return "abort()";
        case SIGILL:
            return "an illegal instruction";
        case SIGKILL:
            return "being killed";
        case SIGXCPU:
            return "running out of processor time";
        default:
            return std::string("signal ") + std::to_string(signal) + " (" + strsignal(signal) + ")";
    }
}

}  // namespace attn::worker
