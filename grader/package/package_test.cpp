// The archive of the package: its files, and what a teacher does with it in another folder.

#include <algorithm>
#include <set>
#include <sstream>

#include <boost/test/unit_test.hpp>

#include "grader/base/version.h"
#include "grader/testing/kit.h"

namespace attn::kits {
namespace {

/// The folder in which CTest has made the archive (package/make_package.sh); empty if it was not made.
fs::path package_folder() {
    const char* folder = std::getenv("ATTN_PACKAGE");
    return folder != nullptr ? folder : "";
}

boost::test_tools::assertion_result package_exists(boost::unit_test::test_unit_id) {
    boost::test_tools::assertion_result result(!package_folder().empty());
    result.message() << "there is no package: run `ctest -R package` in the build's folder";
    return result;
}

BOOST_AUTO_TEST_SUITE(package,
                      *boost::unit_test::precondition(package_exists) * boost::unit_test::label("long"))

/// One unpacked archive for all tests, in a folder that has nothing to do with the build.
struct Package {
    data::TemporaryDirectory place;
    fs::path archive, root;

    Package() {
        for (const auto& each : fs::directory_iterator(package_folder()))
            if (each.path().extension() == ".gz") archive = each.path();
        unpack(archive, place.path());
        for (const auto& each : fs::directory_iterator(place.path())) root = each.path();
        fs::permissions(place.path(), fs::perms(0755));
    }
    /// A command line, with the package's programs in PATH and a home of its own.
    Run type(const std::string& script, const fs::path& folder) const {
        return in_shell("PATH=" + (root / "bin").string() + ":$PATH; " + script + " 2>&1", folder,
                        {"HOME=" + (place / "home").string(), "LANG=C.UTF-8"});
    }
    Run must(const std::string& script, const fs::path& folder) const {
        Run run = type(script, folder);
        BOOST_TEST_REQUIRE(run.exit_code == 0, script << ": " << run.text);
        return run;
    }
};

const Package& package_of_tests() {
    static const Package kOne;
    return kOne;
}

/// A folder for a course, made with the package.
struct Course {
    data::TemporaryDirectory place;
    fs::path folder = place / "autumn";
    Course() {
        fs::permissions(place.path(), fs::perms(0755));
        package_of_tests().must("attention-lab course autumn", place.path());
    }
};

/// The names in an archive.
std::set<std::string> names_in(const fs::path& archive) {
    const Run listed = in_shell("${ATTN_CMAKE:-cmake} -E tar tf '" + archive.string() + "'", "/");
    BOOST_TEST_REQUIRE(listed.exit_code == 0, listed.text);
    std::set<std::string> names;
    std::istringstream lines(listed.text);
    for (std::string line; std::getline(lines, line);) names.insert(line);
    return names;
}

BOOST_AUTO_TEST_CASE(the_archive_has_what_a_teacher_needs_and_no_source_of_the_grader) {
    const Package& package = package_of_tests();
    const std::string name = package.root.filename();
    BOOST_TEST(name == "attention-lab-" + testing::built().version);
    BOOST_TEST(package.archive.filename().string().starts_with(name + "-linux-"));
    for (const char* file :
         {"bin/grader", "bin/attention-lab", "lib/attention-lab/grader/grader-class",
          "lib/attention-lab/grader/worker", "lib/attention-lab/grader/stand_ins.tar.xz",
          "lib/attention-lab/grader/COMMIT", "lib/attention-lab/grader/NEEDS",
          "lib/attention-lab/assignments/02_self_attention/rubric.toml",
          "lib/attention-lab/assignments/02_self_attention/secret.toml",
          "lib/attention-lab/assignments/courses/eecs498.toml",
          "lib/attention-lab/student/self_attention.cpp", "lib/attention-lab/grader/kits/make_kit.sh",
          "share/doc/attention-lab/CHANGES.md", "share/doc/attention-lab/copyright"})
        BOOST_TEST(fs::exists(package.root / file), file);
    int files = 0;
    for (const auto& each : fs::recursive_directory_iterator(package.root)) {
        ++files;
        const std::string path = each.path().lexically_relative(package.root).string();
        const std::string ending = each.path().extension();
        const bool source = ending == ".cpp" || ending == ".cu" || ending == ".cmake";
        BOOST_TEST((!source || path.starts_with("lib/attention-lab/student/")), path);
        BOOST_TEST(!path.ends_with("mistakes.toml"), path);
        if (each.is_symlink()) BOOST_TEST(fs::exists(each.path()), path << " leads nowhere");
    }
    BOOST_TEST(files > 150);
    for (const char* folder : {"share/doc/attention-lab", "lib/attention-lab/assignments"})
        for (const std::string& link : broken_links(package.root / folder)) BOOST_ERROR(link);
    const Run libraries = in_shell(
        "for file in lib/attention-lab/grader/grader lib/attention-lab/grader/grader-class; do ldd $file; "
        "done",
        package.root);
    BOOST_TEST(!contains(libraries.text, "not found"), libraries.text);
}

BOOST_AUTO_TEST_CASE(its_programs_say_the_version_of_the_build) {
    const std::string line = version_line(testing::built()) + "\n";
    for (const char* program : {"grader", "grader class", "attention-lab"})
        BOOST_TEST(package_of_tests().must(std::string(program) + " --version", "/").text == line, program);
}

BOOST_AUTO_TEST_CASE(it_grades_in_any_folder) {
    const data::TemporaryDirectory work;
    fs::permissions(work.path(), fs::perms(0755));
    work.write("self_attention.cpp", solution());
    const Run graded =
        package_of_tests().must("grader grade . -a 2 --no-speed --no-cache --json report.json", work.path());
    BOOST_TEST(contains(graded.text, "85 / 85"), graded.text);
    BOOST_TEST(json_in(work / "report.json").at("grader") == version_line(testing::built()));
}

/// The blocks of commands of a page.
std::vector<std::string> blocks_of(const std::string& page) {
    std::vector<std::string> blocks;
    std::istringstream lines(data::read_file(testing::built().sources / page));
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```"))
            inside = !inside && (blocks.emplace_back(), true);
        else if (inside)
            blocks.back() += line + "\n";
    }
    return blocks;
}

BOOST_AUTO_TEST_CASE(the_commands_of_its_page_work) {
    const Package& package = package_of_tests();
    const auto blocks = blocks_of("grader/package/README.md");
    BOOST_TEST_REQUIRE(blocks.size() == 2U);
    const data::TemporaryDirectory place;
    fs::permissions(place.path(), fs::perms(0755));
    // Without measuring speed, which another test does.
    const Run done = package.must(
        "export ARGS=--no-speed; set -e\n(" + blocks[0] + ")\n" + blocks[1] + "true", place.path());
    BOOST_TEST_CONTEXT(done.text) {
        for (const char* text : {"Self-attention", "0 / 85", "kits/handout.zip", "Made hw1.",
                                 "kits/gradescope.zip", "The headers of autumn are those of Attention Lab"})
            BOOST_TEST(contains(done.text, text), text);
    }
    // The same handout as that of a build.
    BOOST_TEST(names_in(place / "autumn/kits/handout.zip") == names_in(kits_folder() / "handout.zip"),
               boost::test_tools::per_element());
    const auto hidden = names_in(place / "autumn/kits/gradescope.zip");
    BOOST_TEST(hidden.contains("assignments/02_self_attention/secret.toml"));
    BOOST_TEST(!hidden.contains("grader/kits/make_kit.sh"));
}

BOOST_AUTO_TEST_CASE(an_earlier_version_lies_beside_another_as_the_list_of_changes_says) {
    const auto blocks = blocks_of("grader/classes/CHANGES.md");
    BOOST_TEST_REQUIRE(blocks.size() == 2U);
    const data::TemporaryDirectory place;
    // The page names the first version.
    fs::create_symlink(package_of_tests().archive, place / "attention-lab-1.0.0-linux-x86_64.tar.gz");
    std::string script = blocks[1];
    if (const std::string name = package_of_tests().root.filename(); name != "attention-lab-1.0.0")
        script = "ln -s " + name + " ~/attention-lab-1.0.0\n" + script;
    const Run done = in_shell(script, place.path(), {"HOME=" + place.path().string()});
    BOOST_TEST(done.text == version_line(testing::built()) + "\n");
}

BOOST_AUTO_TEST_CASE(a_course_folder_has_rubrics_of_its_own) {
    const Package& package = package_of_tests();
    const Course course;
    BOOST_TEST(contains(package.must("grader list", course.folder / "student").text, "Masking"));
    course.place.write("autumn/assignments/course.toml", "title = \"Mine\"\n[[assignment]]\nnumber = 2\n");
    const std::string rubric = "autumn/assignments/02_self_attention/rubric.toml";
    std::string text = data::read_file(course.place / rubric);
    const std::size_t title = text.find("title");
    BOOST_TEST_REQUIRE(title != std::string::npos);
    course.place.write(rubric,
                       text.replace(title, text.find('\n', title) - title, "title = \"Of this term\""));
    // Also below the folder, but not elsewhere.
    fs::create_directories(course.folder / "deep/down");
    const Run listed = package.must("grader list", course.folder / "deep/down");
    BOOST_TEST(contains(listed.text, "Of this term"), listed.text);
    BOOST_TEST(!contains(listed.text, "Masking"), listed.text);
    BOOST_TEST(!contains(package.must("grader list", course.place.path()).text, "Of this term"));
    // Its kit has them, too.
    package.must("make handout", course.folder);
    const std::set<std::string> names = names_in(course.folder / "kits/handout.zip");
    BOOST_TEST(names.contains("attention_lab/student/self_attention.cpp"));
    BOOST_TEST(!names.contains("attention_lab/student/masking.cpp"));
    BOOST_TEST(!names.contains("attention_lab/assignments/made_with"));
    unpack(course.folder / "kits/handout.zip", course.place / "handed_out");
    BOOST_TEST(contains(
        data::read_file(course.place / "handed_out/attention_lab/assignments/02_self_attention/rubric.toml"),
        "Of this term"));
}

BOOST_AUTO_TEST_CASE(a_course_with_headers_of_another_version_is_refused_and_can_be_updated) {
    const Package& package = package_of_tests();
    const Course course;
    const std::string header = "autumn/assignments/02_self_attention/self_attention.h";
    course.place.write(header, "// of another version\n");
    course.place.write("autumn/assignments/made_with", "Attention Lab 0.9.0, unknown commit\n");
    course.place.write("autumn/assignments/04_masking/rubric.toml", "mine\n");
    const Run refused = package.type("grader list", course.folder);
    BOOST_TEST(refused.exit_code == 2);
    BOOST_TEST(contains(refused.text,
                        "self_attention.h: this is not the header of this grader; the folder was made "
                        "with Attention Lab 0.9.0, unknown commit; use that version, or"),
               refused.text);
    package.must("attention-lab course --update autumn", course.place.path());
    BOOST_TEST(data::read_file(course.place / header) ==
               data::read_file(testing::built().assignments / "02_self_attention/self_attention.h"));
    BOOST_TEST(data::read_file(course.place / "autumn/assignments/04_masking/rubric.toml") == "mine\n");
    BOOST_TEST(contains(package.type("grader list", course.folder).text, "04_masking/rubric.toml"));
}

BOOST_AUTO_TEST_CASE(wrong_commands_are_refused_and_change_nothing) {
    const Package& package = package_of_tests();
    const data::TemporaryDirectory place;
    place.write("taken", "text");
    const auto refused = [&](const std::string& words, const std::string& text) {
        const Run run = package.type("attention-lab " + words, place.path());
        BOOST_TEST(run.exit_code == 2, words);
        BOOST_TEST(contains(run.text, text), run.text);
    };
    refused("course taken", "taken: there is already something here; expected a new name");
    refused("course --update .",
            "this is not a folder for a course; expected the file assignments/made_with");
    refused("course", "usage: attention-lab COMMAND");
    refused("nothing", "usage: attention-lab COMMAND");
    refused("kit nothing", "KIT is handout, gradescope");
    BOOST_TEST(package.must("attention-lab --help", "/").text.starts_with("usage: attention-lab COMMAND"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::kits
