// Skeletons of assignments. That one builds and is graded is another test: testing/new_assignment_test.cmake.

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "grader/base/installation.h"
#include "grader/cli/guide.h"
#include "grader/testing/run_grader.h"

namespace attn::cli {
namespace {

BOOST_AUTO_TEST_SUITE(new_command, *boost::unit_test::label("long"))

/// An empty project.
struct Project {
    TestFolder desk;
    Project() { std::filesystem::create_directories(desk.file("project/assignments/07_taken")); }
    std::string folder() const { return desk.file("project"); }
    std::string text(const std::string& file) const { return data::read_file(desk.file("project/" + file)); }
};

BOOST_AUTO_TEST_CASE(it_writes_every_file_of_the_guide_under_the_new_name) {
    const Project project;
    check_run({"new", "21", "gated_unit", "--into", project.folder()}, 0,
              {"wrote assignments/21_gated_unit/gated_unit.h",
               "wrote grader/assignments/gated_unit/proof/edits.toml", "make grade A=21",
               "make selfcheck A=21", "Adding an assignment"});
    const auto guide = files_of_guide(data::read_file(Installation().assignments / "README.md"));
    BOOST_TEST(guide.size() >= 9U);
    for (const GuideFile& file : renamed(guide, 21, "gated_unit")) {
        BOOST_TEST(project.text(file.path) == file.text);
        BOOST_TEST(!contains(file.text, "mean_pooling"), file.path);
        BOOST_TEST(!contains(file.text, "ean pooling"), file.path);
    }
    BOOST_TEST(contains(project.text("assignments/21_gated_unit/rubric.toml"),
                        "number  = 21\ntitle   = \"Gated unit\""));
    BOOST_TEST(contains(project.text("assignments/21_gated_unit/README.md"), "# Assignment 21: gated unit"));
}

BOOST_AUTO_TEST_CASE(editors_find_the_new_header) {
    const Project project;
    std::filesystem::create_directories(project.desk.file("project/student"));
    project.desk.folder.write("project/student/compile_flags.txt", "-Wall\n-I../assignments/07_taken\n");
    check_run({"new", "8", "gated_unit", "--into", project.folder()}, 0,
              {"added a line to student/compile_flags.txt"});
    BOOST_TEST(project.text("student/compile_flags.txt") ==
               "-Wall\n-I../assignments/07_taken\n-I../assignments/08_gated_unit\n");
}

BOOST_AUTO_TEST_CASE(the_guides_own_name_is_the_guides_text) {
    const auto guide = files_of_guide(data::read_file(Installation().assignments / "README.md"));
    const auto same = renamed(guide, 20, "mean_pooling");
    for (std::size_t k = 0; k < guide.size(); ++k) {
        BOOST_TEST(same[k].path == guide[k].path);
        BOOST_TEST(same[k].text == guide[k].text);
    }
}

// A small assignment stays small: without kernels, speed and published numbers, at most 12 files and 250
// lines by hand.
BOOST_AUTO_TEST_CASE(the_guides_assignment_has_at_most_12_files_and_250_lines) {
    const auto guide = files_of_guide(data::read_file(Installation().assignments / "README.md"));
    std::ptrdiff_t lines = 0;
    for (const GuideFile& file : guide) lines += std::ranges::count(file.text, '\n');
    BOOST_TEST(guide.size() <= 12U);
    BOOST_TEST(lines > 100);
    BOOST_TEST(lines <= 250);
}

BOOST_AUTO_TEST_CASE(what_is_there_is_never_written_over) {
    const Project project;
    check_run({"new", "7", "gated_unit", "--into", project.folder()}, 2, {"number 7 is taken", "07_taken"});
    check_run({"new", "8", "taken", "--into", project.folder()}, 2, {"the name taken is taken", "07_taken"});
    check_run({"new", "8", "softmax", "--into", project.folder()}, 2,
              {"assignment self_attention has a function softmax already"});
    std::filesystem::create_directories(project.folder() + "/student");
    project.desk.folder.write("project/student/gated_unit.cpp", "mine");
    check_run({"new", "8", "gated_unit", "--into", project.folder()}, 2,
              {"student/gated_unit.cpp is there already"});
    BOOST_TEST(!std::filesystem::exists(project.folder() + "/assignments/08_gated_unit"));
}

BOOST_AUTO_TEST_CASE(odd_words_are_refused) {
    const Project project;
    check_run({"new", "--help"}, 0,
              {"usage: grader new NUMBER NAME", "\n  grader new 20 mean_pooling\n", "--into"});
    check_run({"new"}, 2, {"give a number and a name", "usage: grader new"});
    check_run({"new", "20"}, 2, {"give a number and a name"});
    for (const char* number : {"0", "100", "two", "-3", "1.5"})
        check_run({"new", "--into", project.folder(), "--", number, "gated_unit"}, 2, {"expected 1 to 99"});
    for (const char* name : {"Gated", "gated-unit", "_gated", "gated_", "../gated", "unit2"})
        check_run({"new", "8", name, "--into", project.folder()}, 2, {"small letters and underscores"});
    check_run({"new", "8", "gated_unit", "--into", project.desk.file("none")}, 2,
              {"is no clone of the project"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::cli
