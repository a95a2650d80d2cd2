#include "grader/classes/run_tool.h"

#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace attn::classes {
namespace {

std::vector<char*> tool_pointers(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

}  // namespace

std::optional<ToolResult> run_tool(const std::vector<std::string>& command,
                                   const std::vector<std::string>& set) {
    std::vector<std::string> arguments = command, environment = set;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        bool replaced = false;
        for (const std::string& one : set) replaced |= text.starts_with(one.substr(0, one.find('=') + 1));
        if (!replaced) environment.emplace_back(text);
    }
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe2");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int error = posix_spawnp(&child, arguments.front().c_str(), &actions, nullptr,
                                   tool_pointers(arguments).data(), tool_pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    ToolResult result;
    std::array<char, 65536> buffer{};
    for (ssize_t count = error == 0 ? 1 : 0; count > 0;) {
        do count = read(ends[0], buffer.data(), buffer.size());
        while (count < 0 && errno == EINTR);
        if (count > 0) result.output.append(buffer.data(), static_cast<std::size_t>(count));
    }
    close(ends[0]);
    if (error == ENOENT || error == EACCES) return std::nullopt;
    if (error != 0)
        throw std::system_error(error, std::generic_category(), "cannot start " + command.front());
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "waitpid");
    result.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return result;
}

}  // namespace attn::classes
