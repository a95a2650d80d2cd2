#pragma once
/// seccomp: which system calls untrusted code may make. A forbidden call ends the process with SIGSYS, and
/// the parent can name it. A few calls that libraries make without needing them return an error instead.

#include <string>
#include <vector>

#include <linux/filter.h>

namespace attn::worker {

/// Whether the kernel can filter system calls.
bool can_filter_system_calls() noexcept;

/// The worker's filter while a student's library is loaded: allows what a loader needs, but no processes and
/// no network. Throws std::runtime_error if the filter cannot be made. `threads`: see allow_calls_only().
void allow_loading(bool threads);

/// The worker's filter after loading: allows memory, time and replies, but no files, processes, network or
/// new code. With `threads` the process may start threads; then allow_loading() has to allow them too.
void allow_calls_only(bool threads);

/// A filter for compilers. They may start processes, but may not use the network or inspect other processes.
/// The parent makes the filter; the child enters it between fork and exec.
std::vector<sock_filter> make_compiler_filter();
[[nodiscard]] bool enter_filter(const std::vector<sock_filter>& filter) noexcept;

/// The name of a system call, such as "socket"; "number 1234" if it has no name.
std::string name_of_system_call(int number);

}  // namespace attn::worker
