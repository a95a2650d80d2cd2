#include "reference/fast/bench_peers.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reference/fast/bench_openblas.h"
#include "reference/fast/buffer.h"

namespace attn::fast {
namespace {

constexpr const char* kProgram = "/proc/self/exe";
constexpr std::string_view kMeasure = "--measure-this-core", kSaid = "--peers=";
constexpr std::string_view kCoreVariable = "OPENBLAS_CORETYPE=";

// Which of them a build of OpenBLAS has, and a processor can run, shows when a process asks for it.
constexpr std::array kCores = {"Haswell", "Zen",        "SkylakeX",   "Cooperlake", "Sapphirerapids",
                               "ARMV8",   "NEOVERSEN1", "NEOVERSEV1", "NEOVERSEN2"};

/// Prints the core and its speed, the best of three.
void measure_this_core() {
    constexpr int kSize = 1024;
    constexpr std::size_t kCount = std::size_t{kSize} * kSize;
    Buffer A, B, C;
    std::fill_n(A.get(kCount), kCount, 1.F);
    std::fill_n(B.get(kCount), kCount, 1.F);
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    double best = 1e9;
    for (int k = 0; k < 4; ++k) {  // the first one fills caches
        const double start = now();
        openblas_multiply({C.get(kCount), kSize, kSize}, Matrix<float>(A.get(0), kSize, kSize),
                          Matrix<float>(B.get(0), kSize, kSize));
        if (k > 0) best = std::min(best, now() - start);
    }
    std::printf("%s %.3f\n", openblas_core().c_str(), 2e-9 * kSize * kSize * kSize / best);
}

/// What a process says that measures its core; an empty core if it has died, of an instruction that this processor lacks.
CoreSpeed measured(const std::vector<char*>& environment) {
    std::array<int, 2> out{};
    if (pipe2(out.data(), O_CLOEXEC) != 0) throw std::runtime_error("the benchmarks cannot make a pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::string program = kProgram, measure(kMeasure);
    const std::array<char*, 3> arguments = {program.data(), measure.data(), nullptr};
    pid_t child = -1;
    const int failed = posix_spawn(&child, kProgram, &actions, nullptr, arguments.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]);
    std::FILE* const from = fdopen(out[0], "r");
    std::array<char, 64> core{};
    CoreSpeed said;
    if (failed == 0 && std::fscanf(from, "%63s %lf", core.data(), &said.gflops) == 2) said.core = core.data();
    std::fclose(from);
    if (failed == 0) waitpid(child, nullptr, 0);
    return said;
}

/// Without the settings of peers, and with a core of OpenBLAS if one is given.
std::vector<std::string> clean_environment(const std::string& core) {
    const std::vector<std::string> settings = settings_of_peers(environ);
    std::vector<std::string> rest;
    for (char** each = environ; *each != nullptr; ++each)
        if (std::find(settings.begin(), settings.end(), *each) == settings.end()) rest.emplace_back(*each);
    if (!core.empty()) rest.push_back(std::string(kCoreVariable) + core);
    return rest;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> all;
    for (std::string& word : words) all.push_back(word.data());
    all.push_back(nullptr);
    return all;
}

std::vector<CoreSpeed> all_cores() {
    std::vector<CoreSpeed> cores;
    const auto add = [&](const std::string& asked) {
        std::vector<std::string> environment = clean_environment(asked);
        CoreSpeed said = measured(pointers(environment));
        const auto known = std::find_if(cores.begin(), cores.end(),
                                        [&](const CoreSpeed& one) { return one.core == said.core; });
        if (!said.core.empty() && known == cores.end()) cores.push_back(std::move(said));
    };
    add("");
    for (const char* const name : kCores) add(name);
    if (cores.empty()) throw std::runtime_error("the benchmarks cannot start themselves to measure OpenBLAS");
    return cores;
}

std::string in_words(const std::vector<CoreSpeed>& cores, const std::vector<std::string>& settings) {
    std::vector<std::string> each;
    for (const CoreSpeed& one : cores) each.push_back(fmt::format("{} {:.0f}", one.core, one.gflops));
    const CoreSpeed& used = core_to_use(cores);
    std::string words = fmt::format(
        "cores of OpenBLAS that this processor runs, and their GFLOP/s: {}; {}", fmt::join(each, ", "),
        &used == &cores.front()
            ? used.core + ", its own choice, is measured"
            : used.core + ", the fastest, is measured; OpenBLAS's own choice is " + cores.front().core);
    if (!settings.empty())
        words += fmt::format("; ignored in the environment, because peers read them: {}",
                             fmt::join(settings, ", "));
    return words;
}

}  // namespace

std::vector<std::string> settings_of_peers(const char* const* environment) {
    constexpr std::array<std::string_view, 12> kPrefixes = {"OPENBLAS_", "GOTO_",   "BLIS_",  "MKL_",
                                                            "DNNL_",     "ONEDNN_", "OMP_",   "GOMP_",
                                                            "KMP_",      "ATEN_",   "TORCH_", "NVPL_"};
    std::vector<std::string> found;
    for (const char* const* each = environment; *each != nullptr; ++each) {
        const std::string_view entry = *each;
        if (std::any_of(kPrefixes.begin(), kPrefixes.end(),
                        [&](std::string_view prefix) { return entry.substr(0, prefix.size()) == prefix; }))
            found.emplace_back(entry);
    }
    return found;
}

const CoreSpeed& core_to_use(const std::vector<CoreSpeed>& cores) {
    const auto fastest =
        std::max_element(cores.begin(), cores.end(),
                         [](const CoreSpeed& a, const CoreSpeed& b) { return a.gflops < b.gflops; });
    return fastest->gflops > 1.03 * cores.front().gflops ? *fastest : cores.front();
}

std::string with_peers_at_their_best(int count, char** values) {
    if (count == 2 && values[1] == kMeasure) {
        measure_this_core();
        std::exit(0);
    }
    if (count > 1 && std::string_view(values[1]).substr(0, kSaid.size()) == kSaid)
        return values[1] + kSaid.size();
    const std::vector<CoreSpeed> cores = all_cores();
    const CoreSpeed& used = core_to_use(cores);
    std::vector<std::string> environment = clean_environment(&used == &cores.front() ? "" : used.core);
    std::vector<std::string> arguments(values, values + count);
    arguments.insert(arguments.begin() + 1, std::string(kSaid) + in_words(cores, settings_of_peers(environ)));
    execve(kProgram, pointers(arguments).data(), pointers(environment).data());
    throw std::runtime_error("the benchmarks cannot start themselves again");
}

}  // namespace attn::fast
