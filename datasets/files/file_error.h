#pragma once
/// The exception of all readers of this folder, and functions that read whole files.

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace attn::data {

/// A file that cannot be read or written. The message: "PATH: what was found; what was expected; what to do".
class FileError : public std::runtime_error {
  public:
    FileError(const std::filesystem::path& path, const std::string& found, const std::string& expected,
              const std::string& remedy)
        : std::runtime_error(path.string() + ": " + found + "; " + expected + "; " + remedy) {}
};

/// Readers refuse a file, or unpacked contents, of more than this many bytes (1 GiB).
inline constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{1} << 30;

/// Bytes of a file for an error message: in double quotes, at most `limit` bytes, and \xNN for everything but
/// printable ASCII. (A file must not be able to send control characters to the terminal.)
inline std::string in_quotes(std::string_view bytes, std::size_t limit = 40) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text = "\"";
    for (const char c : bytes.substr(0, limit)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f) {
            text += c;
        } else {
            text += std::string("\\x") + kDigits[byte >> 4] + kDigits[byte & 15];
        }
    }
    return text + (bytes.size() > limit ? "\".." : "\"");
}

/// The size in bytes of the regular file at `path`. Throws FileError if it is missing, a directory, a pipe or
/// a device, or larger than kMaxFileBytes.
inline std::uintmax_t require_file(const std::filesystem::path& path) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found)
        throw FileError(path, "there is no such file", "a file was expected",
                        "check the spelling of the path");
    if (status.type() == fs::file_type::directory)
        throw FileError(path, "this is a directory", "a file was expected", "name a file inside it");
    if (status.type() == fs::file_type::regular) {
        const std::uintmax_t size = fs::file_size(path, error);
        if (!error && size > kMaxFileBytes)
            throw FileError(path, "the file has " + std::to_string(size) + " bytes",
                            "at most " + std::to_string(kMaxFileBytes) + " (1 GiB) are read",
                            "use a smaller file");
        if (!error) return size;
    }
    if (error)
        throw FileError(path, "its status cannot be read (" + error.message() + ")",
                        "a readable file was expected", "check the permissions of the path");
    throw FileError(path, "this is a pipe, a device or a socket", "an ordinary file was expected",
                    "save its contents to a file first");
}

/// The bytes of a whole file. Throws FileError as require_file does, and if the file cannot be opened or
/// read, or changes its size while it is read.
inline std::string read_file(const std::filesystem::path& path) {
    const auto size = static_cast<std::size_t>(require_file(path));
    const auto refuse = [&path](const char* what, int error) {
        return FileError(path, std::string(what) + " (" + std::generic_category().message(error) + ")",
                         "a readable file was expected", "check its permissions and its disk");
    };
    const auto close = [](std::FILE* file) { std::fclose(file); };
    const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rbe"), close);
    if (!file) throw refuse("it cannot be opened", errno);

    // Read one byte more than the size, to notice a file that grows or reports a wrong size.
    std::string bytes(size + 1, '\0');
    errno = 0;
    const std::size_t count = std::fread(bytes.data(), 1, bytes.size(), file.get());
    if (std::ferror(file.get())) throw refuse("it cannot be read", errno);
    if (count != size)
        throw FileError(path, "the file changed its size while it was read",
                        "it had " + std::to_string(size) + " bytes", "try again when its writer is done");
    bytes.resize(size);
    return bytes;
}

}  // namespace attn::data
