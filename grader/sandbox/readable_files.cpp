#include "grader/sandbox/readable_files.h"

#include <algorithm>
#include <system_error>

namespace attn::worker {
namespace {

namespace fs = std::filesystem;

/// The folders below `root`, such as /usr or /opt/gcc, that belong to a toolchain.
void add_toolchain(const fs::path& root, std::vector<fs::path>& files) {
    for (const char* name : {"bin", "include", "lib", "lib32", "lib64", "libx32", "libexec"})
        files.push_back(root / name);
    // A compiler that was not built for its own root has its assembler and linker below the machine's name.
    std::error_code error;
    for (const auto& machine : fs::directory_iterator(root / "lib/gcc", error))
        files.push_back(root / machine.path().filename());
}

}  // namespace

std::vector<fs::path> compiler_files(const fs::path& compiler) {
    std::vector<fs::path> files = {"/usr/local/include", "/etc/ld.so.cache", "/etc/ld.so.conf",
                                   "/etc/ld.so.conf.d", "/etc/alternatives"};
    add_toolchain("/", files);
    add_toolchain("/usr", files);
    std::error_code error;
    if (const fs::path program = fs::canonical(compiler, error); !error)
        add_toolchain(program.parent_path().parent_path(), files);
    return files;
}

std::optional<fs::path> readable_through(const fs::path& file, const std::vector<fs::path>& readable) {
    std::error_code error;
    const fs::path place = fs::canonical(file, error);
    if (error) return std::nullopt;
    for (const fs::path& entry : readable) {
        const fs::path above = fs::canonical(entry, error);
        if (!error &&
            std::mismatch(above.begin(), above.end(), place.begin(), place.end()).first == above.end())
            return entry;
    }
    return std::nullopt;
}

}  // namespace attn::worker
