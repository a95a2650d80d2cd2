#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "grader/cli/commands.h"

namespace attn::cli {

int class_command(const Words& words) {
    const std::filesystem::path program =
        std::filesystem::read_symlink("/proc/self/exe").parent_path() / "grader-class";
    if (!std::filesystem::exists(program))
        throw UserError(
            fmt::format("{}: there is no such program yet; expected the one that grades classes; type make "
                        "class-program in the project's folder",
                        program.string()));
    std::vector<const char*> argv{program.c_str()};
    for (const std::string& word : words) argv.push_back(word.c_str());
    argv.push_back(nullptr);
    execv(program.c_str(), const_cast<char* const*>(argv.data()));
    throw std::system_error(errno, std::generic_category(), program.string());
}

}  // namespace attn::cli
