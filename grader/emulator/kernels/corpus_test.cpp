// The emulator proves itself: it finds what is wrong in every wrong kernel, with any order of blocks and
// threads, and nothing in right ones.

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include <boost/test/unit_test.hpp>

#include "datasets/file_error.h"
#include "datasets/temporary_directory.h"
#include "grader/emulator/compile.h"
#include "grader/emulator/places.h"
#include "grader/installation.h"
#include "grader/parallel.h"
#include "grader/worker/process.h"

namespace attn::emulator {
namespace {

namespace fs = std::filesystem;

constexpr int kSeeds = 30, kSeedsOfEndless = 2, kFastSeeds = 3;

/// What a wrong kernel is to be found with, as its source says.
struct Wanted {
    std::string kind;
    std::set<std::string> places;  ///< "bounds.cu:12"
};

/// By the names of the kernels' namespaces.
std::map<std::string, Wanted> wanted_of(const fs::path& source) {
    std::map<std::string, Wanted> result;
    std::istringstream text(data::read_file(source));
    std::string line, name;
    static const std::regex opening("namespace (\\w+) \\{"), mark("// finds: (\\w+)");
    std::smatch match;
    for (int number = 1; std::getline(text, line); ++number) {
        if (std::regex_search(line, match, opening)) name = match[1];
        if (!std::regex_search(line, match, mark)) continue;
        Wanted& wanted = result[name];
        BOOST_REQUIRE_MESSAGE(wanted.kind.empty() || wanted.kind == match[1], name << " has two kinds");
        wanted.kind = match[1];
        wanted.places.insert(source.filename().string() + ":" + std::to_string(number));
    }
    return result;
}

worker::CommandResult run(const std::vector<std::string>& words, const fs::path& folder,
                          const std::vector<std::string>& environment = {}) {
    worker::Command command;
    command.argv = words;
    command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"};
    command.environment.insert(command.environment.end(), environment.begin(), environment.end());
    command.directory = folder;
    command.confinement.limits = {0, 0, 0, 0, 0, 0};
    return worker::run_command(command, 120, 4 << 20);
}

int processors() {
    return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

/// The corpus's programs, compiled once for all tests.
class Corpus {
  public:
    static const Corpus& get() {
        static const Corpus corpus;
        return corpus;
    }

    /// "right" or "wrong".
    std::vector<fs::path> sources(const std::string& which) const {
        std::vector<fs::path> result;
        for (const fs::path& each : fs::directory_iterator(kernels_ / which)) result.push_back(each);
        std::sort(result.begin(), result.end());
        return result;
    }
    fs::path program(const fs::path& source, Mode mode) const { return folder_ / name_of(source, mode); }

  private:
    Corpus() {
        std::vector<std::pair<fs::path, Mode>> work;
        for (const char* which : {"wrong", "right"})
            for (const fs::path& source : sources(which)) work.emplace_back(source, Mode::check);
        for (const fs::path& source : sources("right")) work.emplace_back(source, Mode::fast);
        fs::create_directory(folder_ / "source");
        std::vector<std::string> names;
        for (const auto& [source, mode] : work) names.push_back(inside(source));
        const Originals originals = rewrite_files(kernels_, names, folder_ / "source");
        in_parallel(work.size(), processors(),
                    [&](std::size_t i) { build(work[i].first, work[i].second, originals); });
    }

    std::string inside(const fs::path& source) const { return fs::relative(source, kernels_).string(); }
    static std::string name_of(const fs::path& source, Mode mode) {
        return source.parent_path().filename().string() + "_" + source.stem().string() +
               (mode == Mode::fast ? "_fast" : "_check");
    }

    void build(const fs::path& source, Mode mode, const Originals& originals) const {
        const Installation installation;
        const Compiler compiler{
            [&](const std::vector<std::string>& arguments) {
                std::vector<std::string> words = {installation.compiler};
                words.insert(words.end(), arguments.begin(), arguments.end());
                const auto result = run(words, folder_ / "source");
                return RunResult{result.ending.exit_code == 0 && result.ending.signal == 0, result.printed};
            },
            "..", folder_.path()};
        const std::string name = name_of(source, mode);
        const Compiled compiled =
            compile(compiler, inside(source), name,
                    compile_flags(mode, installation.emulator_headers.string()), originals);
        if (!compiled.ok) throw std::runtime_error(name + ": " + compiled.messages);
        std::vector<std::string> link = {compiled.object, "-o", "../" + name};
        for (const std::string& flag : program_flags(installation.emulator_library)) link.push_back(flag);
        const RunResult linked = compiler.run(link);
        if (!linked.ok) throw std::runtime_error(name + ": " + linked.output);
    }

    const fs::path kernels_ = fs::path(ATTN_SOURCES_DIR) / "grader/emulator/kernels";
    data::TemporaryDirectory folder_;
};

struct Found {
    std::string kind, text;
    /// The first file and line that it names.
    std::string place() const {
        static const std::regex place("\\w+\\.(cu|h):\\d+");
        std::smatch match;
        return std::regex_search(text, match, place) ? match.str() : "";
    }
};

/// One kernel with one seed.
struct Run {
    int seed = 0;
    bool right = false;
    std::vector<Found> found;
};

struct Runs {
    std::vector<Run> runs;
    std::string printed;
};

/// What addr2line says, asked once for each place.
std::string frames_at(const std::string& module, const std::string& offset) {
    static std::mutex mutex;
    static std::map<std::string, std::string> known;
    {
        const std::lock_guard lock(mutex);
        if (const auto it = known.find(module + offset); it != known.end()) return it->second;
    }
    const std::string frames = run({"/usr/bin/addr2line", "-i", "-e", module, offset}, "/").printed;
    const std::lock_guard lock(mutex);
    return known[module + offset] = frames;
}

Runs run_kernel(const fs::path& program, const std::string& kernel, int seeds) {
    Runs result;
    const auto ended =
        run({program.string(), kernel, "1", std::to_string(seeds)}, "/", {"ATTN_EMULATOR_TIME_S=0.5"});
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

struct Job {
    fs::path source;
    std::string kernel;
    Runs runs;
};

/// Runs all kernels of a kind; those that do not end with fewer seeds.
std::vector<Job> run_all(const std::string& which, Mode mode, int seeds) {
    const Corpus& corpus = Corpus::get();
    std::vector<Job> jobs;
    for (const fs::path& source : corpus.sources(which)) {
        std::istringstream names(run({corpus.program(source, mode).string()}, "/").printed);
        for (std::string name; std::getline(names, name);) jobs.push_back({source, name, {}});
    }
    in_parallel(jobs.size(), processors(), [&](std::size_t i) {
        Job& job = jobs[i];
        const auto wanted = wanted_of(job.source);
        const bool endless = wanted.count(job.kernel) != 0 && wanted.at(job.kernel).kind == "endless";
        job.runs =
            run_kernel(corpus.program(job.source, mode), job.kernel, endless ? kSeedsOfEndless : seeds);
        const auto expected = static_cast<std::size_t>(endless ? kSeedsOfEndless : seeds);
        if (job.runs.runs.size() != expected) job.runs.runs.clear();
    });
    return jobs;
}

std::string told(const std::vector<Found>& found) {
    std::string result;
    for (const Found& one : found) result += "\n  " + one.kind + ": " + one.text;
    return result.empty() ? "nothing" : result;
}

bool emulated() {
    return !Installation().emulator_library.empty();
}

struct OnlyWhereEmulated {
    boost::test_tools::assertion_result operator()(boost::unit_test::test_unit_id) const {
        return emulated();
    }
};

BOOST_AUTO_TEST_SUITE(corpus, *boost::unit_test::precondition(OnlyWhereEmulated()))

BOOST_AUTO_TEST_CASE(every_wrong_kernel_is_found_at_its_line_with_every_seed) {
    const auto jobs = run_all("wrong", Mode::check, kSeeds);
    BOOST_TEST(jobs.size() >= 40u);
    int found = 0;
    for (const Job& job : jobs) {
        const auto all_wanted = wanted_of(job.source);
        BOOST_REQUIRE_MESSAGE(all_wanted.count(job.kernel) == 1, job.kernel << " does not say what it finds");
        const Wanted& wanted = all_wanted.at(job.kernel);
        BOOST_TEST(!job.runs.runs.empty(), job.kernel << " did not run to its end: " << job.runs.printed);
        bool always = !job.runs.runs.empty(), sometimes_wrong = false;
        for (const Run& one : job.runs.runs) {
            const bool here = std::any_of(one.found.begin(), one.found.end(), [&](const Found& f) {
                return f.kind == wanted.kind && wanted.places.count(f.place()) != 0;
            });
            sometimes_wrong = sometimes_wrong || !one.right;
            if (here || wanted.kind == "numbers") continue;
            BOOST_TEST(here, job.kernel << " with seed " << one.seed << ": " << wanted.kind << " at "
                                        << *wanted.places.begin()
                                        << " was expected; found: " << told(one.found));
            always = false;
            break;
        }
        if (wanted.kind == "numbers") {
            BOOST_TEST(sometimes_wrong, job.kernel << ": its numbers are right with every seed");
            always = sometimes_wrong;
        }
        found += always;
    }
    BOOST_TEST_MESSAGE(found << " of " << jobs.size() << " wrong kernels found on all of " << kSeeds
                             << " seeds (" << kSeedsOfEndless << " for endless ones)");
}

BOOST_AUTO_TEST_CASE(no_right_kernel_is_accused_with_any_seed) {
    const auto jobs = run_all("right", Mode::check, kSeeds);
    BOOST_TEST(jobs.size() >= 36u);
    int clean = 0;
    for (const Job& job : jobs) {
        BOOST_TEST(!job.runs.runs.empty(), job.kernel << " did not run to its end: " << job.runs.printed);
        const auto bad = std::find_if(job.runs.runs.begin(), job.runs.runs.end(),
                                      [](const Run& one) { return !one.right || !one.found.empty(); });
        const bool is_clean = bad == job.runs.runs.end() && !job.runs.runs.empty();
        if (bad != job.runs.runs.end())
            BOOST_TEST(is_clean, job.kernel << " with seed " << bad->seed << ": "
                                            << (bad->right ? "right" : "wrong") << " numbers, found "
                                            << told(bad->found) << "\n"
                                            << job.runs.printed.substr(0, 2000));
        clean += is_clean;
    }
    BOOST_TEST_MESSAGE(clean << " of " << jobs.size() << " right kernels clean on all of " << kSeeds
                             << " seeds");
}

BOOST_AUTO_TEST_CASE(right_kernels_have_right_numbers_in_the_fast_build) {
    for (const Job& job : run_all("right", Mode::fast, kFastSeeds)) {
        BOOST_TEST(!job.runs.runs.empty(), job.kernel << " did not run to its end: " << job.runs.printed);
        for (const Run& one : job.runs.runs)
            BOOST_TEST((one.right && one.found.empty()), job.kernel << " with seed " << one.seed
                                                                    << told(one.found) << "\n"
                                                                    << job.runs.printed.substr(0, 2000));
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::emulator
