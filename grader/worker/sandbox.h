#pragma once
/// The one place where a child process gives up rights before foreign code runs in it.

#include <string>

namespace attn::worker {

/// What a process may use. Zero means no limit.
struct Limits {
    int memory_mib = 2048;
    int stack_mib = 8;
    int cpu_s = 300;
    int file_mib = 64;  ///< largest file that it may write
};

/// Called in the child between fork and exec, so it makes system calls only: own session, death with the
/// parent, no new privileges, no descriptor above `last_descriptor`, resource limits. False where one was
/// refused.
[[nodiscard]] bool enter_sandbox(const Limits& limits, int last_descriptor) noexcept;

/// The protections that are active, for the report: says what is there and what is not.
std::string describe_isolation();

}  // namespace attn::worker
