#pragma once
/// The system's files that student code may read while it is compiled. While it runs, it may read only the
/// libraries that its process has loaded anyway: see worker/loaded_files.h.

#include <filesystem>
#include <optional>
#include <vector>

namespace attn::worker {

/// The files that a compiler needs: programs, headers and libraries of the system and of the compiler's own
/// installation. It is a list of folders below /usr, not all of /usr.
std::vector<std::filesystem::path> compiler_files(const std::filesystem::path& compiler);

/// The entry of `readable` through which `file` can be read: the entry itself or a folder above it. Links are
/// resolved. Nothing if `file` does not exist or cannot be read in this way.
std::optional<std::filesystem::path> readable_through(const std::filesystem::path& file,
                                                      const std::vector<std::filesystem::path>& readable);

}  // namespace attn::worker
