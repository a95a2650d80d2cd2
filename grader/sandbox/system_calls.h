#pragma once
/// seccomp: which system calls untrusted code may make. A forbidden call ends the process with SIGSYS, and
/// the parent can name it. A few calls that libraries make without needing them return an error instead.

#include <string>
#include <vector>

#include <linux/filter.h>

namespace attn::worker {

/// Descriptors that are open when the worker starts. The libraries come last: the table of exports, then the
/// libraries before the student's in the order in which they are searched, then the student's.
enum Descriptor { kSocket = 3, kInputMemory = 4, kOutputMemory = 5, kFirstLibrary = 6 };

/// Whether the kernel can filter system calls.
bool can_filter_system_calls() noexcept;

/// Whether a process can also leave the decision about some of them to the grader, as a worker does:
/// Linux 5.5, and not inside a container that decides about system calls in this way, because a process has
/// one such filter.
bool can_decide_about_system_calls();

/// Installs the worker's filters, before student code runs. The calling process may then load libraries,
/// compute and reply, but not start processes or reach the network. For calls that only a loader needs it
/// waits until the grader decides; returns the descriptor on which the grader does that (see
/// call_decisions.h). No later filter can be installed. With `threads` the process may start threads. Throws
/// std::runtime_error if a filter cannot be made.
int enter_worker_filters(bool threads);

/// A filter for compilers. They may start processes, but may not use the network or inspect other processes.
/// The parent makes the filter; the child enters it between fork and exec.
std::vector<sock_filter> make_compiler_filter();
[[nodiscard]] bool enter_filter(const std::vector<sock_filter>& filter) noexcept;

/// The name of a system call, such as "socket"; "number 1234" if it has no name.
std::string name_of_system_call(int number);

}  // namespace attn::worker
