#include "grader/cli/terminal_settings.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string_view>

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

std::function<void(const std::string& what)> progress_line() {
    if (!is_terminal(STDERR_FILENO)) return [](const std::string&) {};
    using Clock = std::chrono::steady_clock;
    return [start = Clock::now()](const std::string& what) {
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start).count();
        std::string line = what;
        if (!what.empty() && seconds >= 2) line += "  " + std::to_string(seconds) + " s";
        // A longer text would begin a second line, which the next one could not replace.
        std::cerr << "\r\x1b[K" << line.substr(0, terminal_width() - 1) << std::flush;
    };
}

}  // namespace attn::cli
