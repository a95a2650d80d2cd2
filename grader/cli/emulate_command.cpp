#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/cli/commands.h"
#include "grader/cli/emulated_program.h"
#include "grader/cli/options.h"
#include "grader/cli/terminal_settings.h"
#include "grader/emulator/places.h"
#include "grader/report/text.h"
#include "grader/worker/process.h"

namespace attn::cli {
namespace {

constexpr const char* kEmulateUsage =
    "usage: grader emulate FILE.cu .. [options] [-- ARGUMENTS ..]\n"
    "Runs a CUDA program (one or several files, one of them with a main function) on this processor, "
    "without\n"
    "a GPU and without the CUDA toolkit. It checks the kernels while they run and reports errors with file "
    "and line: accesses outside\n"
    "of arrays, races, missing barriers, uninitialised memory, ..\n"
    "The program is not confined: it may do whatever you may do. Run only programs that you trust; `grader\n"
    "grade` confines kernels of others.\n"
    "  grader emulate my.cu\n"
    "  grader emulate main.cu kernels.cu -I include     compiles several files and links them\n"
    "  grader emulate my.cu --seeds 20        runs threads and blocks in 20 different orders\n"
    "  grader emulate my.cu --seed 7 -- 64 8  uses the order of seed 7; the program's arguments are 64 8\n"
    "  grader emulate my.cu --fast            runs faster, but finds fewer errors\n"
    "  grader emulate my.cu --leaks           also reports memory that is never freed\n"
    "  grader emulate my.cu --memory 1024     gives the device 1024 MiB of memory instead of 256\n"
    "Exit code: 0 no error was found, 1 an error was found or the program failed, 2 it cannot be emulated.\n";

using Progress = std::function<void(const std::string&)>;

/// Shows a progress message during its lifetime.
class ProgressMessage {
  public:
    ProgressMessage(const Progress& progress, const std::string& what) : progress_(progress) {
        progress_(what);
    }
    ~ProgressMessage() { progress_(""); }
    ProgressMessage(const ProgressMessage&) = delete;
    ProgressMessage& operator=(const ProgressMessage&) = delete;

  private:
    const Progress& progress_;
};

/// How the run failed, "ended with exit code 3"; empty if it succeeded.
std::string failure_of(const ProgramRun& run, double limit_s) {
    if (run.overdue && !run.progress.empty())
        return fmt::format(
            "did not end within {:g} s and was stopped: {}. Take smaller sizes, or a longer --time-limit",
            limit_s, run.progress);
    if (run.overdue) return fmt::format("did not end within {:g} s (--time-limit) and was stopped", limit_s);
    if (run.signal != 0) return "ended with " + worker::describe_signal(run.signal);
    // The emulator changes exit code 0 to 1 if it has findings.
    const bool by_itself = run.exit_code > 1 || (run.exit_code == 1 && run.findings.empty());
    return by_itself ? fmt::format("ended with exit code {}", run.exit_code) : "";
}

/// Runs the program once. The program itself prints the findings.
int run_once(const EmulatedProgram& program, const std::string& name, const RunOptions& run_options,
             bool checked) {
    const ProgramRun run = program.run(run_options);
    if (const std::string failure = failure_of(run, run_options.limit_s); !failure.empty())
        std::cerr << fmt::format("grader: {} {}.\n", name, failure);
    if (!run.findings.empty()) {
        std::map<std::string, int> kinds;
        for (const ProgramFinding& finding : run.findings) ++kinds[finding.kind];
        std::vector<std::string> words;
        for (const auto& [kind, count] : kinds)
            words.push_back(count == 1 ? kind : fmt::format("{} ({} places)", kind, count));
        std::cerr << fmt::format("grader: found in {}: {}.\n", name, fmt::join(words, ", "));
    } else if (!run.failed()) {
        std::cerr << fmt::format("grader: nothing found in {} (seed {}{}).\n", name, run_options.seed,
                                 checked ? "" : "; without --fast more errors can be found");
    }
    return run.failed() || !run.findings.empty() ? kSomethingFailed : kAllPassed;
}

/// Seeds with the same finding or failure.
struct SeedGroup {
    std::string text;  ///< the text for the first seed
    std::vector<std::uint64_t> seeds;
};

std::string seeds_in_words(const std::vector<std::uint64_t>& seeds, int all) {
    constexpr std::size_t kShown = 8;
    if (seeds.size() == static_cast<std::size_t>(all)) return "every seed";
    const std::vector<std::uint64_t> first(
        seeds.begin(), seeds.begin() + static_cast<std::ptrdiff_t>(std::min(seeds.size(), kShown)));
    return fmt::format("{} of {} seeds: {}{}", seeds.size(), all, fmt::join(first, ", "),
                       seeds.size() > kShown ? ", .." : "");
}

/// Runs the program with `count` consecutive seeds and prints a summary. Only the first run's output is
/// shown.
int run_many(const EmulatedProgram& program, const std::string& name, RunOptions run_options, int count,
             const Progress& progress) {
    std::map<std::string, SeedGroup> findings, failures;
    std::vector<std::string> order;  // keys of `findings` in order of occurrence
    run_options.quiet = true;
    for (int k = 0; k < count; ++k, ++run_options.seed) {
        run_options.silent = k > 0;
        const ProgressMessage shown(progress,
                                    k == 0 ? "" : fmt::format("{}: seed {} of {} ..", name, k + 1, count));
        const ProgramRun run = program.run(run_options);
        if (const std::string failure = failure_of(run, run_options.limit_s); !failure.empty())
            failures[failure].seeds.push_back(run_options.seed);
        for (const ProgramFinding& finding : run.findings) {
            // Findings of the same kind at the same places are the same, whatever the order of threads.
            std::string key = finding.kind;
            const std::string text =
                emulator::resolve(finding.text, [&](const std::string& module, const std::string& offset) {
                    std::string frames = EmulatedProgram::frames_at(module, offset);
                    key += "\t" + emulator::choose_frame(frames);
                    return frames;
                });
            const auto [group, is_new] = findings.emplace(key, SeedGroup{finding.kind + ": " + text, {}});
            if (is_new) order.push_back(key);
            if (group->second.seeds.empty() || group->second.seeds.back() != run_options.seed)
                group->second.seeds.push_back(run_options.seed);
        }
    }
    for (const std::string& key : order) {
        const SeedGroup& group = findings[key];
        std::cerr << fmt::format("emulator: {}\n  ({})\n", report::clean(group.text),
                                 seeds_in_words(group.seeds, count));
    }
    for (const auto& [failure, group] : failures)
        std::cerr << fmt::format("grader: {} {} ({}).\n", name, failure, seeds_in_words(group.seeds, count));
    if (findings.empty() && failures.empty())
        std::cerr << fmt::format("grader: nothing found in {} with {} seeds.\n", name, count);
    return findings.empty() && failures.empty() ? kAllPassed : kSomethingFailed;
}

/// The files that words name. `make emulate FILE="a.cu b.cu"` gives one word.
std::vector<std::filesystem::path> files_of(const Words& words) {
    std::vector<std::filesystem::path> files;
    for (const std::string& word : words) {
        if (std::filesystem::exists(word)) {
            files.emplace_back(word);
            continue;
        }
        std::istringstream parts(word);
        for (std::string part; parts >> part;) files.emplace_back(part);
    }
    return files;
}

}  // namespace

int emulate_command(const Words& all_words) {
    const auto dashes = std::find(all_words.begin(), all_words.end(), "--");
    const Words words(all_words.begin(), dashes);
    RunOptions run_options;
    if (dashes != all_words.end()) run_options.arguments.assign(dashes + 1, all_words.end());
    int seeds = 1;
    Words folders;
    po::options_description options("options");
    options.add_options()("fast", "check less and run faster")(
        "leaks", po::bool_switch(&run_options.leaks), "report memory of the device that is never freed")(
        "seed", po::value(&run_options.seed)->default_value(run_options.seed),
        "seed of the order of threads and blocks")("seeds", po::value(&seeds)->default_value(seeds),
                                                   "number of runs, each with the next seed")(
        "time-limit", po::value(&run_options.limit_s)->default_value(run_options.limit_s),
        "time limit of one run, in seconds")(
        "memory", po::value(&run_options.memory_mib)->default_value(run_options.memory_mib),
        "memory of the device, in MiB; checking each access takes ten times as much of this machine's")(
        "include,I", po::value(&folders)->composing(), "a folder with headers");
    const auto values = parse(words, kEmulateUsage, options, "file");
    if (!values) return kAllPassed;
    const auto files = files_of(values->count("file") != 0 ? (*values)["file"].as<Words>() : Words());
    if (files.empty()) throw UsageError(std::string("give a .cu file to run\n") + kEmulateUsage);
    if (seeds < 1 || seeds > 10000) throw UsageError("--seeds: expected a number from 1 to 10000");
    if (!(run_options.limit_s > 0)) throw UsageError("--time-limit: expected a number of seconds above 0");
    constexpr int kMostMemory_mib = 65536;
    if (run_options.memory_mib < 1 || run_options.memory_mib > kMostMemory_mib)
        throw UsageError(fmt::format("--memory: expected a number of MiB from 1 to {}", kMostMemory_mib));
    const Installation installation;
    if (installation.emulator_library.empty())
        throw UsageError(
            "the emulator of CUDA kernels needs g++ and an x86-64 processor; here use nvcc and a GPU");

    std::vector<std::string> names;
    for (const std::filesystem::path& file : files) names.push_back(file.filename().string());
    const std::string name = fmt::format("{}", fmt::join(names, ", "));
    const bool fast = values->count("fast") != 0;
    const auto progress = progress_line();
    const auto compiled = [&] {
        const ProgressMessage shown(progress, "compiling " + name + " ..");
        return EmulatedProgram(files, fast ? emulator::Mode::fast : emulator::Mode::check, folders,
                               installation);
    };
    const EmulatedProgram program = compiled();
    std::cerr << report::quote_lines(program.warnings());
    return seeds == 1 ? run_once(program, name, run_options, !fast)
                      : run_many(program, name, run_options, seeds, progress);
}

}  // namespace attn::cli
