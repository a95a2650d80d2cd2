#pragma once
/// Who a process is: foreign code never runs as root.

namespace attn::worker {

/// Whether the grader is root, and so has something to give up.
bool is_root() noexcept;

/// Whether root may become nobody here (not in every container); tried once.
bool can_become_nobody();

/// Becomes nobody, of no group, if it is root. Makes system calls only. False where it was refused.
[[nodiscard]] bool become_nobody() noexcept;

/// Whether the grader becomes nobody for its workers and this file's own rights do not let him read it.
bool is_closed_to_nobody(const char* path);

/// Gives a file or folder to nobody, if the grader is root, so that a process of nobody's can write there;
/// and takes it back. Throws std::system_error.
void give_to_nobody(const char* path);
void take_back(const char* path);

}  // namespace attn::worker
