#pragma once
/// The files that a worker's process has loaded before it loads a student's library: the loader and the C++
/// library.

#include <filesystem>
#include <vector>

namespace attn::worker {

/// Asks the worker's program itself, once for each program. A student's library needs no other libraries of
/// the system, because the worker has loaded the same ones. Throws std::runtime_error if the program does not
/// run.
std::vector<std::filesystem::path> loaded_files(const std::filesystem::path& program);

}  // namespace attn::worker
