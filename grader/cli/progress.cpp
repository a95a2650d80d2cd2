#include "grader/cli/progress.h"

#include <iostream>

#include <unistd.h>

#include "grader/cli/terminal_settings.h"

namespace attn::cli {

std::function<void(const std::string& what)> progress_line() {
    if (!is_terminal(STDERR_FILENO)) return [](const std::string&) {};
    return [](const std::string& what) { std::cerr << "\r\x1b[K" << what << std::flush; };
}

}  // namespace attn::cli
