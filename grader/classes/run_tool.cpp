#include "grader/classes/run_tool.h"

#include <filesystem>
#include <string_view>

#include <unistd.h>

#include "grader/worker/process.h"

namespace attn::classes {

std::optional<ToolResult> run_tool(const std::vector<std::string>& command,
                                   const std::vector<std::string>& set, const ToolLimits& limits) {
    worker::Command shell;
    shell.argv = {"/bin/sh", "-c", "exec \"$@\" 2>/dev/null", "sh"};
    shell.argv.insert(shell.argv.end(), command.begin(), command.end());
    shell.environment = set;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        bool replaced = false;
        for (const std::string& one : set) replaced |= text.starts_with(one.substr(0, one.find('=') + 1));
        if (!replaced) shell.environment.emplace_back(text);
    }
    shell.directory = std::filesystem::current_path();
    shell.confinement.limits = {limits.memory_mib, 0, limits.processor_s, 0, 0, 0};
    const worker::CommandResult ran = worker::run_command(shell, limits.time_s, limits.output_bytes);
    constexpr int kNotRunnable = 126, kNotFound = 127;  // as the shell says
    const int code = ran.ending.exit_code, signal = ran.ending.signal;
    if (ran.timed_out || ran.too_much_output) return ToolResult{kToolCut, ran.printed};
    if (signal == 0 && (code == kNotRunnable || code == kNotFound)) return std::nullopt;
    return ToolResult{signal != 0 ? 128 + signal : code, ran.printed};
}

}  // namespace attn::classes
