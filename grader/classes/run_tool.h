#pragma once
/// Runs a small program of the system, such as git, and reads its output.

#include <optional>
#include <string>
#include <vector>

namespace attn::classes {

struct ToolResult {
    int exit_code = 0;  ///< 128 + n if signal n ended it
    std::string output;
};

/// Runs `command`, found on PATH, without standard input; its standard error is dropped. `set` are variables
/// of the environment, "NAME=value", in place of or besides this process' own. Nothing if there is no such
/// program.
std::optional<ToolResult> run_tool(const std::vector<std::string>& command,
                                   const std::vector<std::string>& set = {});

}  // namespace attn::classes
