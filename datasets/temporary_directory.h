#pragma once
/// What tests of files need: a folder that vanishes, and a predicate on error messages.

#include <cerrno>
#include <exception>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <stdlib.h>

namespace attn::data {

/// A new, empty directory under the system's temporary one, that is removed with all its contents in the end.
/// Throws std::system_error where none can be made.
class TemporaryDirectory {
  public:
    TemporaryDirectory() {
        std::string name = (std::filesystem::temp_directory_path() / "attn-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr)
            throw std::system_error(errno, std::generic_category(), "cannot make the directory " + name);
        path_ = name;
    }
    ~TemporaryDirectory() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }
    TemporaryDirectory(TemporaryDirectory&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    TemporaryDirectory& operator=(TemporaryDirectory&&) = delete;

    const std::filesystem::path& path() const noexcept { return path_; }

    /// Path of the entry `name` inside; it need not exist.
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

    /// Writes `bytes` to the file `name` inside and returns its path. Throws std::runtime_error on failure.
    std::filesystem::path write(const std::string& name, std::string_view bytes) const {
        const std::filesystem::path file = path_ / name;
        std::ofstream out(file, std::ios::binary);
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        out.close();
        if (!out) throw std::runtime_error("cannot write " + file.string());
        return file;
    }

  private:
    std::filesystem::path path_;
};

/// For BOOST_CHECK_EXCEPTION: true for an exception whose message contains every one of `parts`.
inline auto says(std::initializer_list<std::string> parts) {
    return [wanted = std::vector<std::string>(parts)](const std::exception& error) {
        const std::string message = error.what();
        for (const std::string& part : wanted)
            if (message.find(part) == std::string::npos) return false;
        return true;
    };
}

}  // namespace attn::data
