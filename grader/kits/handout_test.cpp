// The handout as students get it: unpacked on a machine with g++ and make, without the project.

#include "grader/testing/kit.h"

namespace attn::kits {
namespace {

/// One handout for all tests, because unpacking it and compiling the headers takes a few seconds.
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

const Handout& handout_of_tests() {
    static const Handout kOne;
    return kOne;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(handout, *boost::unit_test::precondition(kits_exist))

BOOST_AUTO_TEST_CASE(the_stubs_get_no_points_and_are_not_called_wrong) {
    const Run graded = handout_of_tests().make("grade ARGS=--no-speed");
    BOOST_TEST_CONTEXT(graded.text) {
        BOOST_TEST(graded.exit_code == 0);
        BOOST_TEST(contains(graded.text, "\n   make grade A=1\n"));
        BOOST_TEST(contains(graded.text, "seed"));
        BOOST_TEST(!contains(graded.text, "wrong"));
        BOOST_TEST(handout_of_tests().points() == 0);
        BOOST_TEST(fs::exists(handout_of_tests().folder / "grader/preludes"));
    }
}

BOOST_AUTO_TEST_CASE(the_solution_gets_all_points_and_a_mistake_is_explained) {
    handout_of_tests().place.write("attention_lab/student/self_attention.cpp", solution());
    const Run correct = handout_of_tests().make("grade A=2 ARGS=--no-speed");
    BOOST_TEST(correct.exit_code == 0, correct.text);
    BOOST_TEST_CONTEXT(correct.text) BOOST_TEST(handout_of_tests().points() == kAll);

    std::string wrong = solution();
    const std::string exponential = "std::exp(";
    const auto at = wrong.find(exponential);
    BOOST_REQUIRE(at != std::string::npos);
    handout_of_tests().place.write("attention_lab/student/self_attention.cpp",
                                   wrong.insert(at + exponential.size(), "2 * "));
    BOOST_TEST(contains(handout_of_tests().make("grade A=2 ARGS=--no-speed").text, "make explain ID=2."));
    BOOST_TEST(handout_of_tests().points() < kAll);
    const Run explained = handout_of_tests().make("explain ID=2.softmax.ragged");
    BOOST_TEST(contains(explained.text, "2.softmax.ragged, numeric:"), explained.text);
    BOOST_TEST(contains(explained.text, "expected"), explained.text);
}

BOOST_AUTO_TEST_CASE(speed_is_measured_with_the_kits_own_loops_and_yardstick) {
    handout_of_tests().place.write("attention_lab/student/self_attention.cpp", solution());
    handout_of_tests().make("grade A=2");
    const auto report = json_in(handout_of_tests().folder / "report.json");
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

BOOST_AUTO_TEST_CASE(missing_parts_are_named) {
    const Run compiler = in_shell("make grade 2>&1", handout_of_tests().folder, {"CXX=/no/compiler"});
    BOOST_TEST(compiler.exit_code != 0);
    BOOST_TEST(contains(compiler.text, "there is no compiler /no/compiler"), compiler.text);
    BOOST_TEST(contains(compiler.text, "apt-get install g++"), compiler.text);

    const data::TemporaryDirectory incomplete;
    fs::create_directories(incomplete / "grader");
    fs::copy(handout_of_tests().folder / "grader/grader", incomplete / "grader/grader");
    fs::create_directory_symlink(handout_of_tests().folder / "grader/lib", incomplete / "grader/lib");
    const Run alone = run({incomplete / "grader/grader", "list"}, incomplete.path());
    BOOST_TEST(alone.exit_code == 3);
    BOOST_TEST(contains(alone.text, "this kit is not whole: there is no folder"), alone.text);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attn::kits
