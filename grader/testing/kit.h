#pragma once
/// For tests of kits: unpacks a kit and runs it as its platform does.

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/testing/built.h"
#include "grader/testing/run_grader.h"
#include "grader/worker/process.h"

namespace attn::kits {

namespace fs = std::filesystem;
using cli::contains;
using cli::Run;

/// The folder in which CTest has made the kits (kits/make_all.sh); empty if the kits were not made.
inline fs::path kits_folder() {
    const char* folder = std::getenv("ATTN_KITS");
    return folder != nullptr ? folder : "";
}

inline boost::test_tools::assertion_result kits_exist(boost::unit_test::test_unit_id) {
    boost::test_tools::assertion_result result(!kits_folder().empty());
    result.message() << "there are no kits: run `ctest -R kits` in the build's folder";
    return result;
}

/// The secrets that kits/make_all.sh puts into the kits.
inline const std::string kSeed = "7311904420260913", kCases = "marker-of-the-secret-cases";

/// Runs a command line in a folder, with PATH and these environment variables only.
inline Run run(const std::vector<std::string>& words, const fs::path& folder,
               std::vector<std::string> variables = {}) {
    worker::Command command;
    command.argv = words;
    command.environment = std::move(variables);
    command.environment.emplace_back("PATH=/usr/local/bin:/usr/bin:/bin");
    command.directory = folder;
    command.confinement.limits = cli::kNoLimits;
    constexpr double kTimeLimit_s = 150;
    const worker::CommandResult result = worker::run_command(command, kTimeLimit_s, 1 << 20);
    BOOST_REQUIRE(!result.timed_out);
    BOOST_REQUIRE(result.ending.signal == 0);
    return {result.ending.exit_code, result.printed};
}

inline Run in_shell(const std::string& script, const fs::path& folder,
                    std::vector<std::string> variables = {}) {
    return run({"/bin/sh", "-c", script}, folder, std::move(variables));
}

inline void unpack(const fs::path& archive, const fs::path& folder) {
    fs::create_directories(folder);
    const char* cmake = std::getenv("ATTN_CMAKE");  // set by CTest
    const Run done =
        run({cmake != nullptr ? cmake : "/usr/bin/cmake", "-E", "tar", "xf", archive.string()}, folder);
    BOOST_REQUIRE_MESSAGE(done.exit_code == 0, done.text);
}

/// Removes the secrets from an unpacked tree. Without them reports tell students everything.
inline void remove_secrets(const fs::path& tree) {
    fs::remove(tree / "secret_seed");
    fs::remove(tree / "assignments/02_self_attention/secret.toml");
}

inline nlohmann::json json_in(const fs::path& file) {
    BOOST_REQUIRE_MESSAGE(fs::exists(file), file.string() + " is not there");
    return nlohmann::json::parse(data::read_file(file));
}

inline std::string solution() {
    return data::read_file(testing::built().sources / "grader/assignments/self_attention/proof/solution.cpp");
}

/// The points of assignment 2 without those for speed.
inline constexpr double kAll = 85;

/// The relative links of the pages below a folder whose files do not exist.
inline std::set<std::string> broken_links(const fs::path& kit) {
    static const std::regex kLink(R"(\]\(([^)#:]+)(#[^)]*)?\))");
    std::set<std::string> broken;
    for (const fs::directory_entry& each : fs::recursive_directory_iterator(kit)) {
        if (each.path().extension() != ".md") continue;
        const std::string page = data::read_file(each.path());
        for (std::sregex_iterator link(page.begin(), page.end(), kLink), end; link != end; ++link)
            if (!fs::exists(each.path().parent_path() / (*link)[1].str()))
                broken.insert(each.path().filename().string() + ": " + link->str());
    }
    return broken;
}

/// The folders of a platform, below a temporary folder that all users may enter, as in a container.
struct Platform {
    data::TemporaryDirectory place;
    Platform() { fs::permissions(place.path(), fs::perms(0755)); }
    void hand_in(const std::string& file, const std::string& text) const {
        fs::create_directories((place / file).parent_path());
        place.write(file, text);
    }
};

/// The total points in a platform's results: the score, or the sum over its tests.
inline double points_in(const nlohmann::json& results) {
    if (results.contains("score")) return results.at("score");
    double sum = 0;
    for (const auto& each : results.at("tests")) sum += each.at("score").get<double>();
    return sum;
}

inline void check_no_mark(const nlohmann::json& results, const std::string& text) {
    BOOST_TEST(!results.contains("score"));
    BOOST_TEST(!results.contains("tests"));
    BOOST_TEST(contains(text, "Not graded; this is not a mark."), text);
}

}  // namespace attn::kits
