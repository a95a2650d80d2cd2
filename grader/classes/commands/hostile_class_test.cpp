// Whatever a student hands in, the commands of `grader class` end as they should and take the others' in.

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/classes/run_tool.h"
#include "grader/testing/archives.h"
#include "grader/testing/built.h"
#include "grader/testing/run_grader.h"

namespace attn::classes {
namespace {

BOOST_AUTO_TEST_SUITE(hostile_class, *boost::unit_test::label("long"))

namespace fs = std::filesystem;
using cli::Run;
using cli::run_class;
using intake::Entry;
using intake::zip_of;

BOOST_AUTO_TEST_CASE(no_hand_in_ends_a_command_with_a_fault) {
    const data::TemporaryDirectory place;
    BOOST_REQUIRE(
        run_class({"init", "autumn", "--assignment", "2", "--public-seed", "--due", "2026-11-20T22:59:00Z"},
                  place.path())
            .exit_code == 0);
    const std::string source = "float one() { return 1; }\n", moodle = "Bad_1_assignsubmission_file/";
    const Entry good{"Good_2_assignsubmission_file/self_attention.cpp", source};
    const auto add = [&](const fs::path& download, const std::string& says) {
        const Run run = run_class({"add", download.string()}, place / "autumn");
        BOOST_TEST(run.exit_code == 0, run.text);
        BOOST_TEST(run.text.find(says) != std::string::npos, run.text);
    };
    // A file and a folder of one name in two archives; more bytes than a student may have, in 1 KB; no archive at all.
    std::vector<Entry> zeros;
    for (int k = 0; k < 10; ++k)
        zeros.push_back(
            {fmt::format("{}.zip", k), zip_of({{"z.txt", std::string(std::size_t{15} << 20, '\0')}})});
    add(place.write("1.zip", zip_of({{moodle + "1.zip", zip_of({{"a", "x"}, {"c", "x"}})},
                                     {moodle + "2.zip", zip_of({{"a/b", "x"}, {"d", "x"}})},
                                     good})),
        "2 hand-ins, 2 of them new, 0 that cannot be read");
    add(place.write("2.zip", zip_of({{moodle + "1.zip", zip_of(zeros)}, good})), "1 that cannot be read");
    add(place.write("3.zip", zip_of({{moodle + "1.zip", "PK\x03\x04"}, good})), "1 that cannot be read");
    // Clones whose HEAD is an option of git, or three megabytes.
    const std::string precious = place.write("precious", "mine").string();
    for (const char* who : {"hw-ann", "hw-bob", "hw-cid"}) {
        fs::create_directories(place / (std::string("clones/") + who + "/.git"));
        place.write(std::string("clones/") + who + "/self_attention.cpp", source);
    }
    place.write("clones/hw-ann/.git/HEAD", "ref: refs/heads/main\n");
    place.write("clones/hw-ann/.git/packed-refs", "--output=" + precious + " refs/heads/main\n");
    place.write("clones/hw-bob/.git/HEAD", "ref: refs/" + std::string(std::size_t{3} << 20, 'a'));
    add(place / "clones", "3 hand-ins, 3 of them new, 0 that cannot be read");
    BOOST_TEST(data::read_file(precious) == "mine");
    const Run status = run_class({"status"}, place / "autumn");
    BOOST_TEST(status.exit_code <= 1, status.text);
    BOOST_TEST(status.text.find("Bad") != std::string::npos, status.text);
    if (run_tool({"sim_c++", "-v"}))
        BOOST_TEST(run_class({"similarity", "alike"}, place / "autumn").exit_code == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::classes
