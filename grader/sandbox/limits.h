#pragma once
/// Resource limits of a process.

namespace attn::worker {

/// Zero means no limit.
struct Limits {
    int memory_mib = 2048;
    int stack_mib = 8;
    int cpu_s = 300;
    int file_mib = 64;    ///< largest file that it may write
    int open_files = 64;  ///< descriptors
    int processes = 0;    ///< of its user, counting threads
};

/// Sets the limits of the calling process. Makes system calls only, because a child calls it between fork and
/// exec. A lower limit of the grader itself stays. False if a limit was refused.
[[nodiscard]] bool apply(const Limits& limits) noexcept;

}  // namespace attn::worker
