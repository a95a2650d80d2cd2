#include "datasets/gzip.h"

#include <cerrno>
#include <cstddef>
#include <memory>
#include <system_error>
#include <vector>

#include <zlib.h>

#include "datasets/files/file_error.h"

namespace attn::data {

std::string read_gzip(const std::filesystem::path& path, const std::string& expected) {
    require_file(path);
    const std::unique_ptr<gzFile_s, decltype(&gzclose_r)> file(gzopen(path.c_str(), "rbe"), gzclose_r);
    if (!file)
        throw FileError(path, "it cannot be opened (" + std::generic_category().message(errno) + ")",
                        "a readable file was expected", "check its permissions");
    std::string text;
    std::vector<char> chunk(std::size_t{1} << 16);
    int count = 0;
    while ((count = gzread(file.get(), chunk.data(), static_cast<unsigned>(chunk.size()))) > 0) {
        text.append(chunk.data(), static_cast<std::size_t>(count));
        if (text.size() > kMaxFileBytes)
            throw FileError(path,
                            "it unpacks to more than " + std::to_string(kMaxFileBytes) + " bytes (1 GiB)",
                            "expected " + expected, "use a smaller file");
    }
    // zlib returns the contents of a truncated file, and reports the missing end only here.
    int error = Z_OK;
    const char* const message = gzerror(file.get(), &error);
    if (error != Z_OK && error != Z_STREAM_END) {
        const std::string what = error == Z_BUF_ERROR ? "the gzip file ends too early, it is truncated"
                                 : error == Z_ERRNO
                                     ? "it cannot be read (" + std::generic_category().message(errno) + ")"
                                     : std::string("the gzip file is damaged (") + message + ")";
        throw FileError(path, what, "expected an intact gzip file", "copy or unpack it again");
    }
    return text;
}

}  // namespace attn::data
