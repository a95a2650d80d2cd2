#include "grader/base/version.h"

#include <fstream>

#include <fmt/format.h>

namespace attn {
namespace {

/// The compiler of this file, which is that of the whole grader.
std::string building_compiler() {
#ifdef __clang__
    return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
    return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

}  // namespace

std::string version_line(const Installation& installation) {
    std::ifstream file(installation.commit_file);
    std::string commit;
    std::getline(file, commit);
    return fmt::format("Attention Lab {}, {}, built with {}", installation.version,
                       commit.empty() ? "unknown commit" : commit, building_compiler());
}

std::string name_and_number(const std::string& version_line) {
    return version_line.substr(0, version_line.find(','));
}

}  // namespace attn
