#pragma once
/// A temporary directory.

#include <filesystem>
#include <string>
#include <string_view>

namespace attn::data {

/// A new, empty directory below $TMPDIR or /tmp, which only this user can enter. The destructor removes it
/// with all its contents. The constructor throws std::system_error if it cannot be created.
class TemporaryDirectory {
  public:
    TemporaryDirectory();
    ~TemporaryDirectory();
    TemporaryDirectory(TemporaryDirectory&& other) noexcept;
    TemporaryDirectory& operator=(TemporaryDirectory&&) = delete;

    const std::filesystem::path& path() const noexcept { return path_; }

    /// The path of `name` inside the directory. The file need not exist.
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

    /// Writes `bytes` to the file `name` inside and returns its path. Throws std::runtime_error on failure.
    std::filesystem::path write(const std::string& name, std::string_view bytes) const;

  private:
    std::filesystem::path path_;
    int lock_ = -1;  ///< a locked descriptor of the directory: the lock ends with the process
};

/// Removes the temporary directories of this user below $TMPDIR or /tmp whose processes have ended without
/// removing them, for example by SIGKILL. Others are not touched. Does not throw.
void remove_abandoned_directories();

}  // namespace attn::data
