#pragma once
/// What a process may use.

namespace attn::worker {

/// Zero means no limit.
struct Limits {
    int memory_mib = 2048;
    int stack_mib = 8;
    int cpu_s = 300;
    int file_mib = 64;    ///< largest file that it may write
    int open_files = 64;  ///< descriptors
    int processes = 0;    ///< of its user, threads counted
};

/// Sets them for the calling process. Makes system calls only: for a child between fork and exec. A lower
/// limit that the grader lives under itself stays. False where one was refused.
[[nodiscard]] bool apply(const Limits& limits) noexcept;

}  // namespace attn::worker
