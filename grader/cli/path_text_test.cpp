// `grader list`: the course as a path, for people and for scripts, and README's table, which is the same
// path.

#include "grader/cli/path_text.h"

#include <regex>

#include <nlohmann/json.hpp>

#include "datasets/files/file_error.h"
#include "grader/testing/run_grader.h"

namespace attn::cli {
namespace {

BOOST_AUTO_TEST_SUITE(path_text)

using Json = nlohmann::json;

const std::string kCourse = R"(title = "A short course"
[[assignment]]
number = 2
called = "Homework 1"
notes = ["E has no scale on the slides."]
[[assignment]]
number = 5
[[assignment]]
number = 998
title = "Much more"
later = true
)";

struct CourseFile {
    data::TemporaryDirectory folder;
    std::string file = (folder / "mine.toml").string();
    CourseFile() { folder.write("mine.toml", kCourse); }
};

BOOST_AUTO_TEST_CASE(the_table_of_the_projects_page_is_the_path_of_the_whole_course) {
    const auto rubrics = rubric::read_rubrics(testing::built().assignments);
    const std::string page = data::read_file(testing::built().sources / "README.md"),
                      table = path_in_markdown(rubric::whole_course(rubrics));
    BOOST_TEST(contains(page, "\n" + table + "\n"),
               "README.md: the table of handouts is not what `build/grader/grader list --markdown` prints:\n"
                   << table);
}

BOOST_AUTO_TEST_CASE(the_path_says_what_builds_on_what) {
    const Run whole = run_grader({"list"});
    BOOST_TEST_CONTEXT(whole.text) {
        BOOST_TEST(whole.exit_code == 0);
        const std::string text = squeezed(whole.text);
        BOOST_TEST(contains(text, "\n 2 Self-attention 100 points\n"));
        BOOST_TEST(contains(text, "\n 3 Multi-head attention 100 points, builds on 2 and 4\n"));
        BOOST_TEST(contains(text, "\n 6 ViT patching 100 points, builds on 3 and 5\n"));
        BOOST_TEST(
            contains(text, "Begin with assignments/01_rnn_attention/README.md. Then: make grade A=1\n"));
    }
}

BOOST_AUTO_TEST_CASE(a_course_is_shown_with_its_titles_its_notes_and_what_comes_later) {
    const CourseFile course;
    const Run listed = run_grader({"list", "--course", course.file});
    BOOST_TEST_CONTEXT(listed.text) {
        const std::string text = squeezed(listed.text);
        BOOST_TEST(text.starts_with("A short course\n\n 2 Homework 1: Self-attention 100 points\n"));
        BOOST_TEST(contains(text, "\n - E has no scale on the slides.\n"));
        BOOST_TEST(contains(text, "5 Transformer block 100 points; calls functions of 3, not in this"));
        BOOST_TEST(contains(text, "\n998 Much more later\n"));
        BOOST_TEST(!contains(text, "Masking"));
    }
    const Run table = run_grader({"list", "--course", course.file, "--markdown"});
    BOOST_TEST(contains(table.text,
                        "| 2 | [Homework 1: Self-attention](assignments/02_self_attention/README.md) |"));
    BOOST_TEST(contains(table.text, "| 998 | Much more | later | |\n"));
    BOOST_TEST(contains(table.text, "- Homework 1: Self-attention: E has no scale on the slides.\n"));
    check_run({"list", "--course", course.file, "--folders"}, 0,
              {"course 02_self_attention\ncourse 05_transformer_block\ncalled 03_multi_head\n"});
    check_run({"list", "--course", course.file, "--assignment", "3"}, 2,
              {"has no assignment 3; it has 2, 5"});
    check_run({"list", "--course", course.file, "--assignment", "2"}, 0,
              {"2  Homework 1: Self-attention  (100 points)"});
    const Run details = run_grader({"list", "--details"});
    BOOST_TEST(contains(details.text, kSoftmax));
    BOOST_TEST(contains(details.text, "6  ViT patching  (100 points)"));
}

BOOST_AUTO_TEST_CASE(steps_that_stand_apart_are_shown_at_their_places) {
    const data::TemporaryDirectory folder;
    folder.write("mine.toml",
                 "title = \"Translators first\"\n[[assignment]]\nnumber = 7\nsteps = [1, 2, 3, 4, 5]\n"
                 "[[assignment]]\nnumber = 1\n[[assignment]]\nnumber = 7\nsteps = [6, 7, 8, 9]\n");
    const std::string file = folder / "mine.toml";
    const Run listed = run_grader({"list", "--course", file});
    BOOST_TEST_CONTEXT(listed.text) {
        const std::string text = squeezed(listed.text);
        BOOST_TEST(
            contains(text, "7 Sequence to sequence, steps 1 to 5 62 of 100 points; calls functions of 1, "));
        BOOST_TEST(contains(text,
                            "7 Sequence to sequence, steps 6 to 9 38 of 100 points, builds on 1\n "
                            "luong_scores, luong_decode, hard_attention, key_value_attention\n"));
    }
    const Run table = run_grader({"list", "--course", file, "--markdown"});
    BOOST_TEST(contains(table.text,
                        "| 7 | [Sequence to sequence, steps 6 to 9]("
                        "assignments/07_seq2seq/README.md) | luong_scores, "),
               table.text);
    const Run folders = run_grader({"list", "--course", file, "--folders"});
    BOOST_TEST(folders.text == "course 07_seq2seq\ncourse 01_rnn_attention\n");
    const Json steps =
        Json::parse(run_grader({"list", "--course", file, "--json"}).text)["course"]["assignments"];
    BOOST_TEST(steps[1]["steps"].empty());
    BOOST_TEST(steps[2]["steps"] == Json({6, 7, 8, 9}));
}

// In the Makefile, a document's `make list COURSE=eecs498` is `grader list --course "eecs498"`.
BOOST_AUTO_TEST_CASE(the_courses_that_documents_name_can_be_listed) {
    const std::filesystem::path sources = testing::built().sources;
    const std::regex course("make [a-z]+ COURSE=([a-z0-9]+)(?![a-z0-9.])");
    BOOST_TEST(
        contains(data::read_file(sources / "Makefile"), "of-course = $${COURSE:+--course \"$$COURSE\"}"));
    int named = 0;
    for (const char* page :
         {"README.md", "assignments/README.md", "assignments/lectures.md", "grader/kits/README.md"}) {
        const std::string text = data::read_file(sources / page);
        for (std::sregex_iterator each(text.begin(), text.end(), course), end; each != end; ++each, ++named)
            BOOST_TEST(run_grader({"list", "--course", (*each)[1]}).exit_code == 0,
                       page << ": " << each->str());
    }
    BOOST_TEST(named >= 4);
}

BOOST_AUTO_TEST_CASE(programs_read_the_path_as_json) {
    const CourseFile course;
    const Json listed = Json::parse(run_grader({"list", "--course", course.file, "--json"}).text);
    BOOST_TEST(listed.at("course").at("title") == "A short course");
    const Json& steps = listed.at("course").at("assignments");
    BOOST_TEST(steps.size() == 3U);
    BOOST_TEST(steps.at(0).at("title") == "Homework 1: Self-attention");
    BOOST_TEST(steps.at(2).at("later") == true);
    BOOST_TEST(listed.at("functions").size() > 20U);
}

BOOST_AUTO_TEST_CASE(a_course_is_graded_in_its_order_and_under_its_titles) {
    const CourseFile course;
    const Words grade{"grade", "student", "--no-speed", "--course", course.file};
    const auto with = [&grade](Words more) {
        more.insert(more.begin(), grade.begin(), grade.end());
        return more;
    };
    const Run graded = run_grader(with({"--verbose", "--json", course.folder / "report.json"}));
    BOOST_TEST_CONTEXT(graded.text) {
        BOOST_TEST(graded.exit_code == 1);
        BOOST_TEST(contains(squeezed(graded.text), "\n2 Homework 1: Self-attention 0 / 85 not begun\n"));
        BOOST_TEST(contains(squeezed(graded.text), "\n5 Transformer block 0 / 87 not begun\n"));
        BOOST_TEST(!contains(graded.text, "Masking"));
    }
    const Json report = Json::parse(data::read_file(course.folder / "report.json"));
    BOOST_TEST(report.at("assignments").size() == 2U);
    BOOST_TEST(report.at("path").size() == 3U);
    check_run(with({"--assignment", "4"}), 2, {"the course has no assignment 4; it has 2, 5"});
    check_run({"grade", "student", "--course", "nowhere"}, 2, {"nowhere: there is no such file", "eecs498"});
    check_run({"example", "--course", course.file, "--assignment", "4"}, 2, {"has no assignment 4"});
    check_run({"watch", "student", "--course", "nowhere", "--times", "1"}, 2,
              {"nowhere: there is no such file"});
}

BOOST_AUTO_TEST_CASE(after_a_full_assignment_the_report_leads_to_the_next_one) {
    const CourseFile course;
    course.folder.write("self_attention.cpp",
                        data::read_file(testing::built().proof_of("self_attention") / "solution.cpp"));
    const std::string folder = course.folder.path().string();
    check_run({"grade", folder, "--no-speed", "--assignment", "2"}, 0,
              {"nothing left to do here. Well done. Go on with assignment 4 (Masking", "which builds on 2",
               "make grade A=4"});
    check_run({"grade", folder, "--no-speed", "--assignment", "2", "--course", course.file}, 0,
              {"Go on with assignment 5 (Transformer", "make grade A=5"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::cli
