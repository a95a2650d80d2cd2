#pragma once
/// The user of a process. Untrusted code never runs as root: a grader that is root runs it as the user
/// `nobody`.

namespace attn::worker {

/// Whether the grader runs as root.
bool is_root() noexcept;

/// Whether root may become the user `nobody` here. Some containers do not allow it. Tried once.
bool can_become_nobody();

/// If the process is root, makes it the user `nobody` without groups. Makes system calls only. False if
/// refused.
[[nodiscard]] bool become_nobody() noexcept;

/// Whether workers run as the user `nobody` and cannot read this file because of its permissions.
bool is_unreadable_for_nobody(const char* path);

/// If the grader is root: makes the user `nobody` the owner of a file or folder, so that a process of
/// `nobody` can write there; or makes root the owner again. Throws std::system_error.
void give_to_nobody(const char* path);
void return_to_root(const char* path);

}  // namespace attn::worker
