#include "grader/cli/terminal_settings.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string_view>
#include <thread>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace attn::cli {

bool is_terminal(int descriptor) {
    const char* terminal = std::getenv("TERM");
    return isatty(descriptor) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

bool colour_wanted() {
    const char* no_colour = std::getenv("NO_COLOR");
    return is_terminal(STDOUT_FILENO) && (no_colour == nullptr || *no_colour == '\0');
}

std::size_t terminal_width() {
    winsize size{};
    long columns = 0;
    if (const char* given = std::getenv("COLUMNS")) columns = std::strtol(given, nullptr, 10);
    if (columns <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) columns = size.ws_col;
    return columns <= 0 ? kWidest : std::clamp(static_cast<std::size_t>(columns), kNarrowest, kWidest);
}

std::size_t terminal_height() {
    winsize size{};
    long rows = 0;
    if (const char* given = std::getenv("LINES")) rows = std::strtol(given, nullptr, 10);
    if (rows <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) rows = size.ws_row;
    return static_cast<std::size_t>(std::max(rows, 0L));
}

namespace {

/// The line of progress. A step that takes longer than two seconds counts its seconds, so that a student sees that the
/// grader is at work.
class ProgressLine {
  public:
    void show(const std::string& what) {
        const std::lock_guard lock(mutex_);
        what_ = what;
        began_ = Clock::now();
        write(what);
    }

  private:
    using Clock = std::chrono::steady_clock;

    /// A longer text would begin a second line, which the next one could not replace.
    static void write(const std::string& text) {
        std::cerr << "\r\x1b[K" << text.substr(0, terminal_width() - 1) << std::flush;
    }

    void count(const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        while (!stop.stop_requested()) {
            changed_.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
            const auto seconds =
                std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - began_).count();
            if (!stop.stop_requested() && !what_.empty() && seconds >= 2)
                write(fmt::format("{}, {} s", what_, seconds));
        }
    }

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::string what_;
    Clock::time_point began_ = Clock::now();
    std::jthread counter_{[this](const std::stop_token& stop) { count(stop); }};
};

}  // namespace

std::function<void(const std::string& what)> progress_line() {
    if (!is_terminal(STDERR_FILENO)) return [](const std::string&) {};
    return [line = std::make_shared<ProgressLine>()](const std::string& what) { line->show(what); };
}

}  // namespace attn::cli
