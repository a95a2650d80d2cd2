#include "grader/cli/progress.h"

#include <cstdlib>
#include <iostream>
#include <string_view>

#include <unistd.h>

namespace attn::cli {

bool is_terminal(int descriptor) {
    const char* terminal = std::getenv("TERM");
    return isatty(descriptor) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::function<void(const std::string& what)> progress_line() {
    if (!is_terminal(STDERR_FILENO)) return [](const std::string&) {};
    return [](const std::string& what) { std::cerr << "\r\x1b[K" << what << std::flush; };
}

}  // namespace attn::cli
