#pragma once
/// Waits for changes of the files in a folder.

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "grader/base/file_descriptor.h"

namespace attn::cli {

class FileWatch {
  public:
    /// Watches the folder and the folders in it. Throws std::system_error if the system refuses.
    explicit FileWatch(const std::filesystem::path& folder);

    /// Waits until sources (.cpp, .cu and headers) are saved, moved or removed, and returns their paths
    /// below the folder. Editors save a file in several steps, so it waits until nothing has changed for a
    /// moment. Throws worker::Interrupted on Ctrl-C.
    std::set<std::string> wait();

    /// The sources that have changed by now, without waiting.
    std::set<std::string> changed_now();

  private:
    void add(const std::filesystem::path& folder);
    bool is_ready(int wait_ms) const;

    std::filesystem::path root_;
    FileDescriptor inotify_;
    std::map<int, std::filesystem::path> folders_;  ///< by watch descriptor, relative to the root
};

}  // namespace attn::cli
