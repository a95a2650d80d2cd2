#pragma once
/// Runs a small program of the system, such as git, and reads its output.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace attn::classes {

struct ToolResult {
    int exit_code = 0;  ///< 128 + n if signal n ended it; kToolCut if a limit did
    std::string output;
};

/// The exit code of a tool that ran for too long or printed too much. It was ended with all that it had started.
inline constexpr int kToolCut = 124;

struct ToolLimits {
    double time_s = 120;
    std::size_t output_bytes = std::size_t{64} << 20;
    int memory_mib = 0;  ///< 0: no limit
    int processor_s = 0;
};

/// Runs `command`, found on PATH, without standard input; its standard error is dropped. `set` are variables
/// of the environment, "NAME=value", in place of or besides this process' own. Nothing if there is no such
/// program.
std::optional<ToolResult> run_tool(const std::vector<std::string>& command,
                                   const std::vector<std::string>& set = {}, const ToolLimits& limits = {});

}  // namespace attn::classes
