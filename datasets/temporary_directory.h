#pragma once
/// A temporary directory.

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace attn::data {

/// A new, empty directory below $TMPDIR or /tmp. The destructor removes it with all its contents. The
/// constructor throws std::system_error if it cannot be created.
class TemporaryDirectory {
  public:
    TemporaryDirectory() {
        const char* base = std::getenv("TMPDIR");
        std::string name = std::string(base != nullptr && *base != '\0' ? base : "/tmp") + "/attn-XXXXXX";
        if (mkdtemp(name.data()) == nullptr)
            throw std::system_error(
                errno, std::generic_category(),
                "cannot make the directory " + name + " (the variable TMPDIR names its parent folder)");
        path_ = name;
    }
    ~TemporaryDirectory() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }
    TemporaryDirectory(TemporaryDirectory&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    TemporaryDirectory& operator=(TemporaryDirectory&&) = delete;

    const std::filesystem::path& path() const noexcept { return path_; }

    /// The path of `name` inside the directory. The file need not exist.
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

    /// Writes `bytes` to the file `name` inside and returns its path. Throws std::runtime_error on failure.
    std::filesystem::path write(const std::string& name, std::string_view bytes) const {
        std::filesystem::path file = path_ / name;
        std::ofstream out(file, std::ios::binary);
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        out.close();
        if (!out) throw std::runtime_error("cannot write " + file.string());
        return file;
    }

  private:
    std::filesystem::path path_;
};

}  // namespace attn::data
