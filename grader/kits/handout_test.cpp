// The handout as students get it: unpacked somewhere, with g++ and make and nothing of ours on the machine.

#include "grader/testing/kit.h"

namespace attn::kits {
namespace {

/// One handout for all tests: unpacking and compiling the headers takes a few seconds.
struct Handout {
    data::TemporaryDirectory place;
    fs::path folder = place / "attention_lab";

    Handout() { unpack(kits_folder() / "handout.zip", place.path()); }
    Run make(const std::string& words) const { return in_shell("make " + words + " 2>&1", folder); }
    double points() const {
        const auto report = json_in(folder / "report.json");
        double sum = 0;
        for (const auto& assignment : report.at("assignments")) sum += assignment.at("points").get<double>();
        return sum;
    }
};

const Handout& given() {
    static const Handout kOne;
    return kOne;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(handout, *boost::unit_test::precondition(kits_exist))

BOOST_AUTO_TEST_CASE(the_stubs_get_nothing_and_nothing_of_them_is_wrong) {
    const Run graded = given().make("grade ARGS=--no-speed");
    BOOST_TEST_CONTEXT(graded.text) {
        BOOST_TEST(graded.exit_code == 0);
        BOOST_TEST(contains(graded.text, "Then: make grade A=1\n"));
        BOOST_TEST(contains(graded.text, "seed"));
        BOOST_TEST(!contains(graded.text, "wrong"));
        BOOST_TEST(given().points() == 0);
        BOOST_TEST(fs::exists(given().folder / "grader/preludes"));
    }
}

BOOST_AUTO_TEST_CASE(the_solution_gets_all_points_and_a_mistake_is_explained) {
    given().place.write("attention_lab/student/self_attention.cpp", solution());
    const Run right = given().make("grade A=2 ARGS=--no-speed");
    BOOST_TEST(right.exit_code == 0, right.text);
    BOOST_TEST_CONTEXT(right.text) BOOST_TEST(given().points() == kAll);

    std::string wrong = solution();
    const std::string exponential = "std::exp(";
    const auto at = wrong.find(exponential);
    BOOST_REQUIRE(at != std::string::npos);
    given().place.write("attention_lab/student/self_attention.cpp",
                        wrong.insert(at + exponential.size(), "2 * "));
    BOOST_TEST(contains(given().make("grade A=2 ARGS=--no-speed").text, "make explain ID=2."));
    BOOST_TEST(given().points() < kAll);
    const Run explained = given().make("explain ID=2.softmax.ragged");
    BOOST_TEST(contains(explained.text, "2.softmax.ragged, numeric:"), explained.text);
    BOOST_TEST(contains(explained.text, "expected"), explained.text);
}

BOOST_AUTO_TEST_CASE(speed_is_measured_with_the_kits_own_loops_and_yardstick) {
    given().place.write("attention_lab/student/self_attention.cpp", solution());
    given().make("grade A=2");
    const auto report = json_in(given().folder / "report.json");
    int measured = 0;
    for (const auto& part : report.at("assignments").at(0).at("parts"))
        for (const auto& check : part.at("checks"))
            if (check.at("kind") == "speed") {
                ++measured;
                const std::string outcome = check.at("outcome");
                BOOST_TEST((outcome == "slow" || outcome == "passed"), check.dump());
                BOOST_TEST(check.at("points").get<double>() > 0);
            }
    BOOST_TEST(measured == 1);
}

BOOST_AUTO_TEST_CASE(what_is_not_in_a_kit_is_said) {
    const Run compiler = in_shell("make grade 2>&1", given().folder, {"CXX=/no/compiler"});
    BOOST_TEST(compiler.exit_code != 0);
    BOOST_TEST(contains(compiler.text, "there is no compiler /no/compiler"), compiler.text);
    BOOST_TEST(contains(compiler.text, "apt-get install g++"), compiler.text);

    const data::TemporaryDirectory torn;
    fs::create_directories(torn / "grader");
    fs::copy(given().folder / "grader/grader", torn / "grader/grader");
    fs::create_directory_symlink(given().folder / "grader/lib", torn / "grader/lib");
    const Run alone = run({torn / "grader/grader", "list"}, torn.path());
    BOOST_TEST(alone.exit_code == 3);
    BOOST_TEST(contains(alone.text, "this kit is not whole: there is no folder"), alone.text);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attn::kits
