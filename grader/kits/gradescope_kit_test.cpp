// The Gradescope kit in the folders of its container (as root if the tests run as root): a correct
// submission, a hostile one, faults, and the smallest container.

#include <unistd.h>

#include "grader/testing/kit.h"

namespace attn::kits {
namespace {

/// A submission that tries to write its own results, to read a secret and to change the grader, and reports
/// its user. It does so in a static constructor, which runs before the stricter of the two system-call
/// filters.
std::string hostile(const fs::path& kit, const fs::path& results) {
    return "#define RESULTS \"" + results.string() + "\"\n#define KIT \"" + kit.string() + "/\"\n" + R"(
#include <cstdio>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include "self_attention.h"
namespace {
std::string said;
void write(const char* file) {
    if (FILE* f = std::fopen(file, "a")) std::fputs("FORGED", f), std::fclose(f);
}
const bool tried = [] {
    char line[64] = {};
    write(RESULTS);
    write(KIT "options");
    if (FILE* f = std::fopen(KIT "a_secret", "r")) std::fgets(line, sizeof line, f), std::fclose(f);
    said = "I am user " + std::to_string(getuid()) + " and read [" + line + "]";
    return true;
}();
}
void attn::softmax(TensorView<float, 2>, TensorView<const float, 2>) { throw std::runtime_error(said); }
)";
}

struct Gradescope : Platform {
    fs::path source = place / "source", results = place / "results/results.json";
    Gradescope() {
        unpack(kits_folder() / "gradescope.zip", source);
        fs::create_directories(place / "submission");
        place.write("submission_metadata.json", "{}");
        BOOST_REQUIRE(sh("source/setup.sh").exit_code == 0);
        fs::copy(source / "run_autograder", place / "run_autograder");
    }
    Run sh(const std::string& command, std::vector<std::string> variables = {}) const {
        variables.push_back("AUTOGRADER_ROOT=" + place.path().string());
        return in_shell("./" + command + " 2>&1", place.path(), variables);
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(gradescope_kit,
                      *boost::unit_test::precondition(kits_exist) * boost::unit_test::label("long"))

BOOST_AUTO_TEST_CASE(grades_correctly_and_contains_a_hostile_submission) {
    const Gradescope platform;
    platform.hand_in("submission/self_attention.cpp", solution());
    const Run correct = platform.sh("run_autograder");
    BOOST_TEST(correct.exit_code == 0, correct.text);
    const auto marked = json_in(platform.results);
    BOOST_TEST(points_in(marked) == kAll);
    BOOST_TEST(marked.at("tests").size() == 3U);  // one for each function
    BOOST_TEST(marked.at("tests").at(0).at("name") == "softmax");
    BOOST_TEST(contains(correct.text, "secret seed"));
    BOOST_TEST(!contains(marked.dump() + correct.text, kSeed));

    // Use the public seed, because only then the report shows the submission's messages. The forbidden files
    // exist, so a successful attack would be visible: see the control below.
    remove_secrets(platform.source);
    platform.place.write("source/a_secret", kSeed);
    platform.hand_in("submission/self_attention.cpp", hostile(platform.source, platform.results));
    const Run contained = platform.sh("run_autograder");
    const std::string results = json_in(platform.results).dump();
    BOOST_TEST_CONTEXT(contained.text) {
        BOOST_TEST(contained.exit_code == 0);
        BOOST_TEST(points_in(json_in(platform.results)) < kAll / 2);
        BOOST_TEST(!contains(results, "FORGED"));
        BOOST_TEST(!contains(results + contained.text, kSeed));
        BOOST_TEST(!contains(data::read_file(platform.source / "options"), "FORGED"));
        const std::string user = geteuid() == 0 ? "65534" : std::to_string(getuid());
        BOOST_TEST(contains(contained.text, "I am user " + user + " and read []"));
    }
    // Control: without the sandbox layers the attack succeeds.
    platform.place.write("source/options",
                         "--assignment 2 --no-speed --without files --without identity "
                         "--without system_calls --without limits\n");
    const Run uncontained = platform.sh("run_autograder");
    BOOST_TEST(contains(uncontained.text, "and read [" + kSeed + "]"), uncontained.text);
    BOOST_TEST(contains(data::read_file(platform.source / "options"), "FORGED"));
}

BOOST_AUTO_TEST_CASE(there_are_results_without_a_mark_if_the_grader_fails) {
    const Gradescope platform;
    platform.hand_in("submission/student/self_attention.cpp", solution());  // in the layout of a repository
    BOOST_TEST(platform.sh("run_autograder").exit_code == 0);
    BOOST_TEST(points_in(json_in(platform.results)) == kAll);

    BOOST_TEST(platform.sh("run_autograder", {"TIME_S=0.01"}).exit_code == 1);
    check_no_mark(json_in(platform.results), json_in(platform.results).at("output"));
    BOOST_TEST(contains(json_in(platform.results).at("output"), "did not finish within 0.01 s"));

    fs::rename(platform.source / "grader/exports.so", platform.source / "grader/moved");
    BOOST_TEST(platform.sh("run_autograder").exit_code == 1);
    check_no_mark(json_in(platform.results), json_in(platform.results).at("output"));
    BOOST_TEST(contains(json_in(platform.results).at("output"), "exports"));

    fs::rename(platform.source / "grader/grader", platform.source / "grader/gone");
    BOOST_TEST(platform.sh("run_autograder").exit_code == 1);
    check_no_mark(json_in(platform.results), json_in(platform.results).at("output"));
}

BOOST_AUTO_TEST_CASE(the_smallest_container_is_large_enough) {
    const Gradescope platform;
    platform.hand_in("submission/self_attention.cpp", solution());
    const std::string small = (testing::built().sources / "grader/kits/small_machine.sh").string();
    const Run graded = in_shell(small + " ./run_autograder 2>&1", platform.place.path(),
                                {"AUTOGRADER_ROOT=" + platform.place.path().string()});
    if (graded.exit_code == 77) {
        BOOST_TEST_MESSAGE("skipped: no control group with half a processor and 768 MiB can be created here");
        return;
    }
    BOOST_TEST(graded.exit_code == 0, graded.text);
    BOOST_TEST(points_in(json_in(platform.results)) == kAll);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attn::kits
