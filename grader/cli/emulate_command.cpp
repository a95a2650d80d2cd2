#include <algorithm>
#include <functional>
#include <iostream>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/cli/commands.h"
#include "grader/cli/emulated_program.h"
#include "grader/cli/options.h"
#include "grader/cli/progress.h"
#include "grader/emulator/places.h"
#include "grader/report/text.h"
#include "grader/worker/process.h"

namespace attn::cli {
namespace {

constexpr const char* kEmulateUsage =
    "usage: grader emulate FILE.cu [options] [-- ARGUMENTS ..]\n"
    "Runs a CUDA program, a file with a main, on this processor: no GPU and no CUDA toolkit is needed. Its "
    "kernels "
    "are looked at while they run, and what is wrong in them is told with file and line: accesses outside of "
    "arrays, races, missing barriers, memory that nobody has written, ..\n"
    "  grader emulate my.cu\n"
    "  grader emulate my.cu --seeds 20        threads and blocks in 20 orders: which of them find what\n"
    "  grader emulate my.cu --seed 7 -- 64 8  the order of seed 7; the program's arguments are 64 8\n"
    "  grader emulate my.cu --fast            quicker; finds less\n"
    "Exit code: 0 nothing was found, 1 something was or the program failed, 2 it cannot be emulated.\n";

using Progress = std::function<void(const std::string&)>;

/// A line that is there while something is done, however that ends.
class Shown {
  public:
    Shown(const Progress& progress, const std::string& what) : progress_(progress) { progress_(what); }
    ~Shown() { progress_(""); }
    Shown(const Shown&) = delete;
    Shown& operator=(const Shown&) = delete;

  private:
    const Progress& progress_;
};

/// "ended with exit code 3"; empty where it went well.
std::string failure_of(const ProgramRun& run, double limit_s) {
    if (run.overdue) return fmt::format("did not end within {:g} s (--time-limit) and was ended", limit_s);
    if (run.signal != 0) return "ended with " + worker::describe_signal(run.signal);
    // With findings a program that ends well ends with 1: that was the emulator.
    const bool by_itself = run.exit_code > 1 || (run.exit_code == 1 && run.findings.empty());
    return by_itself ? fmt::format("ended with exit code {}", run.exit_code) : "";
}

/// Runs it once; findings are told by the program while it runs.
int run_once(const EmulatedProgram& program, const std::string& name, const Running& how, bool checked) {
    const ProgramRun run = program.run(how);
    if (const std::string failure = failure_of(run, how.limit_s); !failure.empty())
        std::cerr << fmt::format("grader: {} {}.\n", name, failure);
    if (!run.findings.empty()) {
        std::map<std::string, int> kinds;
        for (const ProgramFinding& finding : run.findings) ++kinds[finding.kind];
        std::vector<std::string> words;
        for (const auto& [kind, count] : kinds)
            words.push_back(count == 1 ? kind : fmt::format("{} ({} places)", kind, count));
        std::cerr << fmt::format("grader: found in {}: {}.\n", name, fmt::join(words, ", "));
    } else if (!run.failed()) {
        std::cerr << fmt::format("grader: nothing found in {} (seed {}{}).\n", name, how.seed,
                                 checked ? "" : "; without --fast it is looked at more closely");
    }
    return run.failed() || !run.findings.empty() ? kSomethingFailed : kAllPassed;
}

/// The seeds that come to the same.
struct Same {
    std::string text;  ///< of the first of them
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

/// Runs it with `count` seeds from the given one on and sums up. What it prints is shown of the first run.
int run_many(const EmulatedProgram& program, const std::string& name, Running how, int count,
             const Progress& progress) {
    std::map<std::string, Same> findings, failures;
    std::vector<std::string> order;  // of findings, as they came
    how.quiet = true;
    for (int k = 0; k < count; ++k, ++how.seed) {
        how.silent = k > 0;
        const Shown shown(progress, k == 0 ? "" : fmt::format("{}: seed {} of {} ..", name, k + 1, count));
        const ProgramRun run = program.run(how);
        if (const std::string failure = failure_of(run, how.limit_s); !failure.empty())
            failures[failure].seeds.push_back(how.seed);
        for (const ProgramFinding& finding : run.findings) {
            // The same in another order of threads: of one kind and at the same places.
            std::string key = finding.kind;
            const std::string text =
                emulator::resolve(finding.text, [&](const std::string& module, const std::string& offset) {
                    std::string frames = EmulatedProgram::frames_at(module, offset);
                    key += "\t" + emulator::choose_frame(frames);
                    return frames;
                });
            const auto [same, is_new] = findings.emplace(key, Same{finding.kind + ": " + text, {}});
            if (is_new) order.push_back(key);
            if (same->second.seeds.empty() || same->second.seeds.back() != how.seed)
                same->second.seeds.push_back(how.seed);
        }
    }
    for (const std::string& key : order) {
        const Same& same = findings[key];
        std::cerr << fmt::format("emulator: {}\n  ({})\n", report::clean(same.text),
                                 seeds_in_words(same.seeds, count));
    }
    for (const auto& [failure, same] : failures)
        std::cerr << fmt::format("grader: {} {} ({}).\n", name, failure, seeds_in_words(same.seeds, count));
    if (findings.empty() && failures.empty())
        std::cerr << fmt::format("grader: nothing found in {} with {} seeds.\n", name, count);
    return findings.empty() && failures.empty() ? kAllPassed : kSomethingFailed;
}

}  // namespace

int emulate_command(const Words& all_words) {
    const auto dashes = std::find(all_words.begin(), all_words.end(), "--");
    const Words words(all_words.begin(), dashes);
    Running how;
    if (dashes != all_words.end()) how.arguments.assign(dashes + 1, all_words.end());
    int seeds = 1;
    Words folders;
    po::options_description options("options");
    options.add_options()("fast", "look at less, and be quicker")(
        "seed", po::value(&how.seed)->default_value(how.seed), "the order of threads and blocks")(
        "seeds", po::value(&seeds)->default_value(seeds), "so many runs, each with the next seed")(
        "time-limit", po::value(&how.limit_s)->default_value(how.limit_s), "of one run, in seconds")(
        "include,I", po::value(&folders)->composing(), "a folder with headers");
    const auto values = parse(words, kEmulateUsage, options, "file");
    if (!values) return kAllPassed;
    if (values->count("file") == 0 || (*values)["file"].as<Words>().size() != 1)
        throw UsageError(std::string("give one .cu file to run\n") + kEmulateUsage);
    if (seeds < 1 || seeds > 10000) throw UsageError("--seeds: expected a number from 1 to 10000");
    if (!(how.limit_s > 0)) throw UsageError("--time-limit: expected a number of seconds above 0");
    const Installation installation;
    if (installation.emulator_library.empty())
        throw UsageError(
            "the emulator of CUDA kernels runs on x86-64 only; on this processor use nvcc and a GPU");

    const std::filesystem::path source = (*values)["file"].as<Words>()[0];
    const std::string name = source.filename().string();
    const bool fast = values->count("fast") != 0;
    const auto progress = progress_line();
    const auto compiled = [&] {
        const Shown shown(progress, "compiling " + name + " ..");
        return EmulatedProgram(source, fast ? emulator::Mode::fast : emulator::Mode::check, folders,
                               installation);
    };
    const EmulatedProgram program = compiled();
    std::cerr << report::in_quotes(program.warnings());
    return seeds == 1 ? run_once(program, name, how, !fast) : run_many(program, name, how, seeds, progress);
}

}  // namespace attn::cli
