// The proof of the emulator: it finds the mistake in every wrong kernel, with any order of blocks and
// threads, and finds nothing in right kernels.

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "grader/emulator/kernels/programs.h"

namespace attn::emulator {
namespace {

using namespace programs;

constexpr int kSeeds = 30, kSeedsOfEndless = 2, kFastSeeds = 3;

/// The finding that a wrong kernel must give, as comments in its source say: "// finds: KIND".
struct Wanted {
    std::string kind;
    std::set<std::string> places;  ///< "bounds.cu:12"
};

/// The expected findings of a source, by the names of the kernels' namespaces.
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

struct Job {
    fs::path source;
    std::string kernel;
    Runs runs;
};

/// Runs all kernels of a folder, endless ones with fewer seeds.
std::vector<Job> run_all(const std::string& which, Mode mode, int seeds) {
    const Corpus& corpus = Corpus::get();
    std::vector<Job> jobs;
    for (const fs::path& source : corpus.sources(which)) {
        std::istringstream names(run_words({corpus.program(source, mode).string()}, "/").printed);
        const std::size_t before = jobs.size();
        for (std::string name; std::getline(names, name);) jobs.push_back({source, name, {}});
        BOOST_TEST(jobs.size() > before, source << " lists no kernel");
    }
    BOOST_TEST(!jobs.empty());
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

std::string list_of(const std::vector<Found>& found) {
    std::string result;
    for (const Found& one : found) result += "\n  " + one.kind + ": " + one.text;
    return result.empty() ? "nothing" : result;
}

/// Requires right numbers and no finding with every seed.
bool check_clean(const Job& job) {
    BOOST_TEST(!job.runs.runs.empty(), job.kernel << " did not run to its end: " << job.runs.printed);
    for (const Run& one : job.runs.runs) {
        const bool clean = one.right && one.found.empty();
        BOOST_TEST(clean, job.kernel << " with seed " << one.seed << ": " << (one.right ? "right" : "wrong")
                                     << " numbers, found " << list_of(one.found) << "\n"
                                     << job.runs.printed.substr(0, 2000));
        if (!clean) return false;
    }
    return !job.runs.runs.empty();
}

bool emulated() {
    return !Installation().emulator_library.empty();
}

struct OnlyWhereEmulated {
    boost::test_tools::assertion_result operator()(boost::unit_test::test_unit_id) const {
        return emulated();
    }
};

BOOST_AUTO_TEST_SUITE(corpus,
                      *boost::unit_test::precondition(OnlyWhereEmulated()) * boost::unit_test::label("long"))

BOOST_AUTO_TEST_CASE(every_wrong_kernel_is_found_at_its_line_with_every_seed) {
    const auto jobs = run_all("wrong", Mode::check, kSeeds);
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
            if (wanted.kind == "numbers")
                BOOST_TEST(one.found.empty(), job.kernel << " is accused of " << list_of(one.found));
            if (here || wanted.kind == "numbers") continue;
            BOOST_TEST(here, job.kernel << " with seed " << one.seed << ": " << wanted.kind << " at "
                                        << *wanted.places.begin()
                                        << " was expected; found: " << list_of(one.found));
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
    int clean = 0;
    for (const Job& job : jobs) clean += check_clean(job);
    BOOST_TEST_MESSAGE(clean << " of " << jobs.size() << " right kernels clean on all of " << kSeeds
                             << " seeds");
}

BOOST_AUTO_TEST_CASE(the_table_of_findings_names_kernels_of_the_corpus) {
    const fs::path emulator = testing::built().sources / "grader/emulator";
    std::istringstream readme(data::read_file(emulator / "README.md"));
    static const std::regex row("\\| `(\\w+)` \\| `(\\w+\\.cu)` `(\\w+)` \\|");
    int rows = 0;
    for (std::string line; std::getline(readme, line);) {
        std::smatch match;
        if (!std::regex_search(line, match, row)) continue;
        ++rows;
        const auto wanted = wanted_of(emulator / "kernels/wrong" / match[2].str());
        const auto kernel = wanted.find(match[3]);
        BOOST_REQUIRE_MESSAGE(kernel != wanted.end(), line);
        BOOST_TEST(kernel->second.kind == match[1].str(), line);
    }
    BOOST_TEST(rows >= 20);
}

BOOST_AUTO_TEST_CASE(right_kernels_have_right_numbers_in_the_fast_build) {
    for (const Job& job : run_all("right", Mode::fast, kFastSeeds)) check_clean(job);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::emulator
