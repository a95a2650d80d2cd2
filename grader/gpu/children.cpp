#include "grader/gpu/children.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"

namespace attn::gpu {
namespace {

namespace fs = std::filesystem;

pid_t start(std::vector<std::string> words) {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    // A group of its own, so that a tool is stopped together with the program that it runs.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t pid = -1;
    const int error = posix_spawn(&pid, pointers[0], &actions, &attributes, pointers.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw std::system_error(error, std::generic_category(), "cannot start " + words.at(0));
    return pid;
}

/// The path of compute-sanitizer, or empty.
std::string find_sanitizer() {
    const char* const path = std::getenv("PATH");
    std::istringstream folders(std::string(path != nullptr ? path : "") + ":/usr/local/cuda/bin");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (std::string file = folder + "/compute-sanitizer"; ::access(file.c_str(), X_OK) == 0) return file;
    return {};
}

}  // namespace

ChildEnding run_child(const std::vector<std::string>& words, double limit_s) {
    const pid_t pid = start(words);
    const auto begin = std::chrono::steady_clock::now();
    bool stopped = false;
    int status = 0;
    constexpr useconds_t kPollInterval_us = 5000;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
        if (!stopped && passed.count() > limit_s) {
            stopped = true;
            ::kill(-pid, SIGKILL);
        }
        usleep(kPollInterval_us);
    }
    if (stopped) return {0, fmt::format("its process was stopped after {:g} s", limit_s)};
    if (WIFSIGNALED(status))
        return {0, fmt::format("its process ended with signal {} ({})", WTERMSIG(status),
                               strsignal(WTERMSIG(status)))};
    return {WEXITSTATUS(status), {}};
}

FunctionReport check_in_child(std::vector<std::string> words, const std::string& module,
                              const std::string& function, double limit_s) {
    const data::TemporaryDirectory folder;
    const fs::path file = folder.path() / "report.json";
    words.insert(words.end(), {"--function", function, "--json", file.string()});
    const ChildEnding ending = run_child(words, limit_s);
    FunctionReport failed{module, function, {}, {}};
    failed.agreement.asked = 1;
    failed.agreement.failures = {ending.problem};
    if (!ending.problem.empty()) return failed;
    try {
        return function_from_json(nlohmann::json::parse(data::read_file(file)));
    } catch (const std::exception& error) {
        failed.agreement.failures = {fmt::format(
            "its process ended with exit code {} and without a report: {}", ending.exit_code, error.what())};
        return failed;
    }
}

std::vector<SanitizerPass> run_sanitizer(const std::vector<std::string>& words, double limit_s) {
    const std::string program = find_sanitizer();
    if (program.empty()) return {};
    std::vector<SanitizerPass> passes;
    for (const std::string tool : {"memcheck", "racecheck", "initcheck"}) {
        std::vector<std::string> all = {program, "--tool", tool, "--error-exitcode", "99"};
        all.insert(all.end(), words.begin(), words.end());
        const ChildEnding ending = run_child(all, limit_s);
        passes.push_back({tool, ending.exit_code, ending.problem});
    }
    return passes;
}

}  // namespace attn::gpu
