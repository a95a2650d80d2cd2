#pragma once
/// Compiles the corpus's programs and runs their kernels one by one.

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "datasets/files/temporary_directory.h"
#include "grader/base/installation.h"
#include "grader/base/parallel.h"
#include "grader/compile/prelude.h"
#include "grader/emulator/compile.h"
#include "grader/emulator/places.h"
#include "grader/testing/built.h"
#include "grader/testing/sample.h"
#include "grader/worker/process.h"

namespace attn::emulator::programs {

namespace fs = std::filesystem;

inline worker::CommandResult run_words(const std::vector<std::string>& words, const fs::path& folder,
                                       const std::vector<std::string>& environment = {}) {
    worker::Command command;
    command.argv = words;
    command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"};
    command.environment.insert(command.environment.end(), environment.begin(), environment.end());
    command.directory = folder;
    command.confinement.limits = {0, 0, 0, 0, 0, 0};
    return worker::run_command(command, 120, 4 << 20);
}

inline int processors() {
    return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

/// From each folder.
constexpr std::size_t kSourcesInASample = 3;

/// The corpus's programs, compiled once for all tests.
class Corpus {
  public:
    static const Corpus& get() {
        static const Corpus corpus;
        return corpus;
    }

    /// The sources of one folder, "right" or "wrong".
    const std::vector<fs::path>& sources(const std::string& which) const { return sources_.at(which); }
    fs::path program(const fs::path& source, Mode mode) const { return folder_ / name_of(source, mode); }

  private:
    Corpus() {
        std::vector<std::pair<fs::path, Mode>> work;
        for (const char* which : {"wrong", "right"}) {
            sources_[which] = drawn_sources(which);
            for (const fs::path& source : sources(which)) work.emplace_back(source, Mode::check);
        }
        for (const fs::path& source : sources("right")) work.emplace_back(source, Mode::fast);
        fs::create_directory(folder_ / "source");
        std::vector<std::string> names;
        for (const auto& [source, mode] : work) names.push_back(inside(source));
        const OriginalLines originals = rewrite_files(kernels_, names, folder_ / "source");
        in_parallel(work.size(), processors(),
                    [&](std::size_t i) { build(work[i].first, work[i].second, originals); });
    }

    /// The sources of a folder that the sample draws.
    std::vector<fs::path> drawn_sources(const std::string& which) const {
        std::vector<fs::path> sources;
        for (const fs::path& each : fs::directory_iterator(kernels_ / which)) sources.push_back(each);
        std::sort(sources.begin(), sources.end());
        return proof::drawn(std::move(sources), proof::at_most(kSourcesInASample));
    }

    std::string inside(const fs::path& source) const { return fs::relative(source, kernels_).string(); }
    static std::string name_of(const fs::path& source, Mode mode) {
        return source.parent_path().filename().string() + "_" + source.stem().string() +
               (mode == Mode::fast ? "_fast" : "_check");
    }

    void build(const fs::path& source, Mode mode, const OriginalLines& originals) const {
        const Installation installation;
        const Compiler compiler{
            [&](const std::vector<std::string>& arguments) {
                std::vector<std::string> words = {installation.compiler};
                words.insert(words.end(), arguments.begin(), arguments.end());
                const auto result = run_words(words, folder_ / "source");
                return RunResult{result.ending.exit_code == 0 && result.ending.signal == 0, result.printed};
            },
            [this](const std::string& assembly, const std::string& functions) {
                return place_shared_arrays_in(folder_ / assembly,
                                              functions.empty() ? fs::path() : folder_ / functions);
            },
            ".."};
        const std::string name = name_of(source, mode);
        const fs::path prelude = attn::compile::kernel_prelude(mode, installation);
        Compiled compiled = emulator::compile(compiler, inside(source), name,
                                              compile_flags(mode, installation.emulator_headers.string()),
                                              attn::compile::prelude_header(prelude));
        show_original_lines(compiled, originals);
        if (!compiled.ok) throw std::runtime_error(name + ": " + compiled.messages);
        std::vector<std::string> link = {compiled.object, "-o", "../" + name};
        for (const std::string& flag : program_flags(installation.emulator_library)) link.push_back(flag);
        const RunResult linked = compiler.run(link);
        if (!linked.ok) throw std::runtime_error(name + ": " + linked.output);
    }

    const fs::path kernels_ = testing::built().sources / "grader/emulator/kernels";
    data::TemporaryDirectory folder_;
    std::map<std::string, std::vector<fs::path>> sources_;
};

struct Found {
    std::string kind, text;
    /// The first file and line in the text.
    std::string place() const {
        static const std::regex place("\\w+\\.(cu|h):\\d+");
        std::smatch match;
        return std::regex_search(text, match, place) ? match.str() : "";
    }
};

/// One run of a kernel with one seed.
struct Run {
    int seed = 0;
    bool right = false;
    std::vector<Found> found;
};

struct Runs {
    std::vector<Run> runs;
    std::string printed;
};

/// The output of addr2line, which is called once for each place.
inline std::string frames_at(const std::string& module, const std::string& offset) {
    static std::mutex mutex;
    static std::map<std::string, std::string> known;
    {
        const std::lock_guard lock(mutex);
        if (const auto it = known.find(module + offset); it != known.end()) return it->second;
    }
    const std::string frames = run_words({"/usr/bin/addr2line", "-i", "-e", module, offset}, "/").printed;
    const std::lock_guard lock(mutex);
    return known[module + offset] = frames;
}

inline Runs run_kernel(const fs::path& program, const std::string& kernel, int seeds) {
    Runs result;
    const auto ended =
        run_words({program.string(), kernel, "1", std::to_string(seeds)}, "/", {"ATTN_EMULATOR_TIME_S=0.5"});
    result.printed = ended.printed;
    std::istringstream lines(ended.printed);
    Run one;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("found ")) {
            const std::size_t space = line.find(' ', 6);
            one.found.push_back({line.substr(6, space - 6), resolve(line.substr(space + 1), frames_at)});
        } else if (int seed = 0; std::sscanf(line.c_str(), "seed %d:", &seed) == 1) {
            one.seed = seed;
            one.right = line.ends_with(": right");
            result.runs.push_back(std::move(one));
            one = {};
        }
    }
    return result;
}

}  // namespace attn::emulator::programs
