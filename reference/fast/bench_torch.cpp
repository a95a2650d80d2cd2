#include "reference/fast/bench_torch.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <stdexcept>

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reference/fast/bench_table.h"

namespace attn::fast {

Torch::Torch() {
    // A script that has gone is noticed by its missing answer.
    std::signal(SIGPIPE, SIG_IGN);
    // Debian's package is for the second, which another python3 may hide.
    for (const char* const python : {"python3", "/usr/bin/python3"}) {
        start(python);
        if (found()) return;
        end();
    }
}

void Torch::start(std::string python) {
    std::array<int, 2> in{}, out{};
    if (pipe2(in.data(), O_CLOEXEC) != 0) return;
    if (pipe2(out.data(), O_CLOEXEC) != 0) {
        close(in[0]);
        close(in[1]);
        return;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::string script = ATTN_TORCH_SCRIPT;
    const std::array<char*, 3> arguments = {python.data(), script.data(), nullptr};
    if (posix_spawnp(&child_, python.c_str(), &actions, nullptr, arguments.data(), environ) != 0) child_ = -1;
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    to_ = fdopen(in[1], "w");
    from_ = fdopen(out[0], "r");
    const std::string line = read_line();
    version_ = line.substr(0, line.find(' '));
    vector_unit_ = line.substr(std::min(line.size(), version_.size() + 1));
}

void Torch::end() {
    if (to_ != nullptr) std::fclose(to_);
    if (from_ != nullptr) std::fclose(from_);
    if (child_ > 0) waitpid(child_, nullptr, 0);
    to_ = from_ = nullptr;
    child_ = -1;
}

Torch::~Torch() {
    end();
}

std::string Torch::in_words() const {
    if (!found()) return "PyTorch: no python3 in PATH has it";
    return name() + " with " + vector_unit_ + ", as many threads as each table says";
}

double Torch::seconds(const std::string& line) {
    std::fprintf(to_, "%s\n", line.c_str());
    std::fflush(to_);
    const std::string answer = read_line();
    if (answer.empty()) throw std::runtime_error("bench_torch.py gave no answer to: " + line);
    return std::stod(answer);
}

std::string Torch::read_line() {
    std::string line;
    for (int c = std::fgetc(from_); c != EOF && c != '\n'; c = std::fgetc(from_))
        line += static_cast<char>(c);
    return line;
}

Torch& torch() {
    static Torch instance;
    return instance;
}

void add_torch(const std::string& row, int threads, const std::string& line, double flop) {
    if (!torch().found()) return;
    const auto seconds = [line = line + " " + std::to_string(threads)] { return torch().seconds(line); };
    benchmark::RegisterBenchmark(cell_name(row, threads, torch().name()).c_str(),
                                 [=](benchmark::State& state) {
                                     seconds();  // makes the weights
                                     for (auto _ : state) state.SetIterationTime(seconds());
                                     state.counters["flop"] = flop;
                                 })
        ->UseManualTime()
        ->MinTime(0.06)
        ->Repetitions(5);
}

}  // namespace attn::fast
