#include "grader/worker/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

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

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

/// Why a child did not get to run its program; it says so through a pipe that exec closes.
enum class Obstacle : char { none, sandbox, exec };

/// The child between fork and exec. Memory may be in any state here: system calls only.
[[noreturn]] void become(const Command& command, char* const* argv, char* const* environment,
                         const char* directory, int output, int news, const int* descriptors, int count) {
    // First out of the way of the numbers to come, then into place.
    constexpr int kAside = 64;
    const auto aside = [](int fd) { return fcntl(fd, F_DUPFD, kAside); };
    const int null = open("/dev/null", O_RDONLY), printed = aside(output), told = aside(news),
              last = 3 + count;
    std::array<int, 8> moved{};
    for (int k = 0; k < count; ++k) moved[static_cast<std::size_t>(k)] = aside(descriptors[k]);
    dup2(null, STDIN_FILENO);
    dup2(printed, STDOUT_FILENO);
    dup2(printed, STDERR_FILENO);
    for (int k = 0; k < count; ++k) dup2(moved[static_cast<std::size_t>(k)], 3 + k);
    dup3(told, last, O_CLOEXEC);
    Obstacle obstacle = Obstacle::sandbox;
    if (chdir(directory) == 0 && enter_sandbox(command.limits, last)) {
        obstacle = Obstacle::exec;
        execve(argv[0], argv, environment);
    }
    [[maybe_unused]] const ssize_t sent = write(last, &obstacle, 1);
    _exit(EXIT_FAILURE);
}

}  // namespace

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
    if (this != &other) {
        reset();
        fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
}

void FileDescriptor::reset() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
}

Process::Process(const Command& command) {
    std::array<int, 2> printing{}, telling{};
    if (pipe2(printing.data(), O_CLOEXEC) != 0) fail("pipe");
    output_ = FileDescriptor(printing[0]);
    const FileDescriptor printing_end(printing[1]);
    if (fcntl(output_.get(), F_SETFL, O_NONBLOCK) != 0) fail("fcntl");
    if (pipe2(telling.data(), O_CLOEXEC) != 0) fail("pipe");
    const FileDescriptor news(telling[0]);
    FileDescriptor telling_end(telling[1]);

    const auto argv = pointers(command.argv), environment = pointers(command.environment);
    const std::string directory = command.directory.string();
    pid_ = fork();
    if (pid_ < 0) fail("fork");
    if (pid_ == 0) {
        become(command, argv.data(), environment.data(), directory.c_str(), printing_end.get(),
               telling_end.get(), command.descriptors.data(), static_cast<int>(command.descriptors.size()));
    }
    telling_end.reset();
    Obstacle obstacle = Obstacle::none;
    while (read(news.get(), &obstacle, 1) < 0 && errno == EINTR) {
    }
    if (obstacle == Obstacle::none) return;
    kill();
    waitpid(pid_, nullptr, 0);
    throw std::runtime_error("cannot start " + command.argv.at(0) +
                             (obstacle == Obstacle::exec
                                  ? ": it is no program that can be run here"
                                  : ": its limits or its folder " + directory + " were refused"));
}

Process::~Process() {
    if (pid_ > 0) {
        kill();
        waitpid(pid_, nullptr, 0);
    }
}

void Process::kill() const {
    if (pid_ > 0) {
        ::kill(-pid_, SIGKILL);
        ::kill(pid_, SIGKILL);  // it may not have become a group of its own yet
    }
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

Ending Process::wait(Clock::time_point deadline) {
    siginfo_t ended{};
    bool overdue = false;
    while (ended.si_pid != pid_) {
        if (waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 &&
            errno != EINTR)
            fail("waitid");
        if (ended.si_pid == pid_) break;
        if (!overdue && Clock::now() >= deadline) {
            kill();
            overdue = true;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    kill();  // its group, before its number can be given to somebody else
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFSIGNALED(status) ? Ending{0, WTERMSIG(status), overdue}
                               : Ending{WEXITSTATUS(status), 0, overdue};
}

Clock::time_point in_seconds(double seconds) {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

int milliseconds_until(Clock::time_point deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return static_cast<int>(std::clamp<long long>(left, 0, kGlance_ms));
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
