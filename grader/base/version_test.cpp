#include "grader/base/version.h"

#include <regex>

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/cli/program.h"
#include "grader/testing/run_grader.h"

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(version)

namespace fs = std::filesystem;
using cli::Words;

BOOST_AUTO_TEST_CASE(the_number_is_that_of_the_build_and_both_programs_print_the_same_line) {
    const Installation& built = testing::built();
    const std::regex number(R"(project\(attention_lab VERSION ([0-9]+\.[0-9]+\.[0-9]+) )");
    const std::string lists = data::read_file(built.sources / "CMakeLists.txt");
    std::smatch found;
    BOOST_TEST_REQUIRE(std::regex_search(lists, found, number));
    const std::string line = version_line(built);
    BOOST_TEST(line.starts_with("Attention Lab " + found[1].str() + ", "), line);
    BOOST_TEST(std::regex_search(
                   line, std::regex("(unknown commit|commit [0-9a-f]{8} of [0-9]{4}-[0-9]{2}-[0-9]{2})")),
               line);
    BOOST_TEST(cli::run_grader({"--version"}).text == line + "\n");
    BOOST_TEST(cli::run_class({"--version"}, built.sources).text == line + "\n");
    BOOST_TEST(name_and_number(line) == "Attention Lab " + found[1].str());
    const std::string changes = data::read_file(built.sources / "grader/classes/CHANGES.md");
    BOOST_TEST(cli::contains(changes, "\n## " + found[1].str() + "\n"),
               "grader/classes/CHANGES.md has no section for " << found[1]);
}

BOOST_AUTO_TEST_CASE(a_report_says_which_grader_made_it) {
    const data::TemporaryDirectory folder;
    const std::string file = (folder / "report.json").string(), page = (folder / "report.html").string();
    const cli::Run run = cli::run_grader(
        {"grade", "student", "-a", "2", "--no-speed", "--verbose", "--json", file, "--html", page});
    const std::string line = version_line(testing::built());
    BOOST_TEST(run.text.starts_with(name_and_number(line) + "   submission student"), run.text);
    BOOST_TEST(cli::contains(run.text, "graded by: " + name_and_number(line)), run.text);
    BOOST_TEST(cli::contains(data::read_file(file), "\"grader\": \"" + line + "\""));
    BOOST_TEST(cli::contains(data::read_file(page), "\"grader\": \"" + line + "\""));
}

BOOST_AUTO_TEST_CASE(without_the_file_the_commit_is_unknown) {
    const data::TemporaryDirectory folder;
    Installation elsewhere = testing::built();
    elsewhere.version = "1.2.3";
    elsewhere.commit_file = folder / "COMMIT";
    BOOST_TEST(version_line(elsewhere).starts_with("Attention Lab 1.2.3, unknown commit, built with "));
    folder.write("COMMIT", "commit 12345678 of 2026-01-02\n");
    BOOST_TEST(cli::contains(version_line(elsewhere), "1.2.3, commit 12345678 of 2026-01-02, built with "));
}

/// A small project of its own in which the script looks for the commit.
struct Project {
    data::TemporaryDirectory place;
    fs::path folder = place / "project";

    Project() {
        for (const char* inside : {"grader/base", "reference", "datasets", "assignments", "student"})
            fs::create_directories(folder / inside);
        write("grader/base/commit.txt", data::read_file(testing::built().sources / "grader/base/commit.txt"));
        write("grader/main.cpp", "int main() {}\n");
        write("student/work.cpp", "// a student's\n");
        write("CMakeLists.txt", "\n");
    }
    void write(const std::string& file, const std::string& text) const {
        place.write("project/" + file, text);
    }
    void git(Words words) const {
        words.insert(words.begin(), {"/usr/bin/git", "-c", "user.name=T", "-c", "user.email=t@example.org"});
        const cli::Run run = cli::run_in(folder, words);
        BOOST_TEST_REQUIRE(run.exit_code == 0, run.text);
    }
    void commit() const {
        git({"add", "--all"});
        git({"commit", "--quiet", "--message", "A change", "--date", "2026-01-02T03:04:05Z"});
    }
    std::string commit_in_words(const fs::path& of) const {
        const cli::Run run =
            cli::run_in(of, {"/usr/bin/env", "cmake", "-D", "PROJECT=" + of.string(), "-D",
                             "OUTPUT=" + (place / "COMMIT").string(), "-P",
                             (testing::built().sources / "grader/base/commit.cmake").string()});
        BOOST_TEST_REQUIRE(run.exit_code == 0, run.text);
        return data::read_file(place / "COMMIT");
    }
    std::string commit_in_words() const { return commit_in_words(folder); }
};

BOOST_AUTO_TEST_CASE(the_commit_is_the_last_one_that_changed_the_grader) {
    const Project project;
    BOOST_TEST(project.commit_in_words() == "unknown commit\n");
    if (!fs::exists("/usr/bin/git")) {
        BOOST_TEST_MESSAGE("skipped: no git");
        return;
    }
    project.git({"init", "--quiet"});
    BOOST_TEST(project.commit_in_words() == "unknown commit\n");
    project.commit();
    const std::string first = project.commit_in_words();
    BOOST_TEST(std::regex_match(first, std::regex("commit [0-9a-f]{8} of [0-9]{4}-[0-9]{2}-[0-9]{2}\n")),
               first);
    // A student's commit is not one of the grader. The file is not even written again.
    const auto written = fs::last_write_time(project.place / "COMMIT");
    project.write("student/work.cpp", "// more\n");
    project.commit();
    BOOST_TEST(project.commit_in_words() == first);
    BOOST_TEST((fs::last_write_time(project.place / "COMMIT") == written));
    project.write("grader/main.cpp", "int main() { return 1; }\n");
    BOOST_TEST(project.commit_in_words() == first.substr(0, first.size() - 1) + " with changes\n");
    project.commit();
    const std::string second = project.commit_in_words();
    BOOST_TEST(second != first);
    BOOST_TEST(!cli::contains(second, "with changes"));
}

BOOST_AUTO_TEST_CASE(an_archive_of_git_has_the_commit_and_a_bare_folder_does_not_ask_the_one_around_it) {
    const Project project;
    project.write(".gitattributes", data::read_file(testing::built().sources / ".gitattributes"));
    if (!fs::exists("/usr/bin/git")) return;
    project.git({"init", "--quiet"});
    project.commit();
    const std::string commit = project.commit_in_words();
    const fs::path archived = project.folder / "archived";
    fs::create_directories(archived);
    project.git({"archive", "--output", (project.place / "a.tar").string(), "HEAD"});
    const cli::Run unpacked =
        cli::run_in(archived, {"/usr/bin/env", "tar", "-xf", (project.place / "a.tar").string()});
    BOOST_TEST_REQUIRE(unpacked.exit_code == 0, unpacked.text);
    BOOST_TEST(project.commit_in_words(archived) == commit);
    fs::copy_file(project.folder / "grader/base/commit.txt", archived / "grader/base/commit.txt",
                  fs::copy_options::overwrite_existing);
    BOOST_TEST(project.commit_in_words(archived) == "unknown commit\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
