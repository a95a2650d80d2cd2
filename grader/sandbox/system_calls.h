#pragma once
/// seccomp: which system calls foreign code may make. One that is not allowed ends the process with SIGSYS,
/// and the parent can name it; a few that libraries make in passing are answered with an error instead.

#include <string>
#include <vector>

#include <linux/filter.h>

namespace attn::worker {

/// Whether the kernel filters system calls.
bool can_filter_system_calls() noexcept;

/// For the worker, before a student's library is loaded: what a loader needs, no process, no network. Throws
/// std::runtime_error where it cannot be put in place.
void allow_loading(bool threads);

/// For the worker, once it is loaded: memory, time, answers; no file, no process, no network, no new code.
/// With `threads` it may start threads of its own process, which both have to allow.
void allow_calls_only(bool threads);

/// A filter for compilers, which may start processes, but neither reach the network nor look into others.
/// Made ahead, entered between fork and exec.
std::vector<sock_filter> make_compiler_filter();
[[nodiscard]] bool enter_filter(const std::vector<sock_filter>& filter) noexcept;

/// "socket" for its number here; "number 1234" where it has no name.
std::string name_of_system_call(int number);

}  // namespace attn::worker
