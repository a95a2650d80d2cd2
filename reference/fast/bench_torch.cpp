#include "reference/fast/bench_torch.h"

#include <array>
#include <csignal>
#include <stdexcept>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace attn::fast {

Torch::Torch() {
    std::array<int, 2> in{}, out{};
    if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) return;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::string python = "python3", script = ATTN_TORCH_SCRIPT;
    const std::array<char*, 3> arguments = {python.data(), script.data(), nullptr};
    const int error = posix_spawnp(&child_, "python3", &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    to_ = fdopen(in[1], "w");
    from_ = fdopen(out[0], "r");
    if (error != 0) {
        child_ = -1;
        return;
    }
    // A script that has gone is noticed by its missing answer.
    std::signal(SIGPIPE, SIG_IGN);
    version_ = read_line();
}

Torch::~Torch() {
    if (to_ != nullptr) std::fclose(to_);
    if (from_ != nullptr) std::fclose(from_);
    if (child_ > 0) waitpid(child_, nullptr, 0);
}

double Torch::seconds(const std::string& line) {
    std::fprintf(to_, "%s\n", line.c_str());
    std::fflush(to_);
    const std::string answer = read_line();
    if (answer.empty()) throw std::runtime_error("attention_torch.py gave no answer to: " + line);
    return std::stod(answer);
}

std::string Torch::read_line() {
    std::string line;
    for (int c = std::fgetc(from_); c != EOF && c != '\n'; c = std::fgetc(from_))
        line += static_cast<char>(c);
    return line;
}

}  // namespace attn::fast
