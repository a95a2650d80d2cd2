#pragma once
/// A view of the file system of its own (a mount namespace): a process sees the files that it may access, and
/// no others. Landlock denies opening a file, but not asking whether it exists, how large it is, or what is
/// on the way to it.

#include <string>
#include <vector>

#include "grader/sandbox/landlock.h"

namespace attn::worker {

/// Whether this process can make such a view: as root with CAP_SYS_ADMIN, or in a user namespace. Tried once.
bool can_have_file_view();

class FileView {
  public:
    /// `access`: the files and folders of the view, at their own paths. The process also sees /proc.
    explicit FileView(const FileAccess& access);

    /// Gives the calling process this view. It stays in its current folder if that is shown. Makes system
    /// calls only. False if refused.
    [[nodiscard]] bool enter() const noexcept;

  private:
    struct Entry {
        std::string path;                  ///< what is shown
        std::string place;                 ///< where: below the new root
        std::vector<std::string> folders;  ///< to make first, from the outermost
        bool is_folder = true;
    };
    static bool make(const Entry& entry) noexcept;

    std::vector<Entry> entries_;
    std::string user_map_, group_map_;  ///< of the user namespace; empty for root
};

}  // namespace attn::worker
