// Courses: which assignments, in which order, under which titles. Invalid files are refused; the message says
// the line, what was found and what was expected.

#include "grader/rubric/course.h"

#include <set>

#include "grader/testing/broken_rubric.h"

namespace attn::rubric {
namespace {

BOOST_AUTO_TEST_SUITE(course)

namespace fs = std::filesystem;

const std::vector<Rubric>& all_rubrics() {
    static const auto kAll = read_rubrics(kAssignments);
    return kAll;
}

const std::string kText = R"(title = "Attention, autumn"
notes = ["Rows are vectors."]

[[assignment]]
number = 5
called = "Homework 1"

[[assignment]]
number = 2
title = "Softmax and more"
notes = ["E has no scale.", "Here it has."]

[[assignment]]
number = 3

[[assignment]]
number = 998
title = "Not written yet"
later = true
)";

Course course_in_text(const std::string& text) {
    const data::TemporaryDirectory folder;
    folder.write("mine.toml", text);
    return read_course(all_rubrics(), kAssignments, folder / "mine.toml");
}

BOOST_AUTO_TEST_CASE(without_a_file_a_course_has_all_assignments_each_after_those_that_it_builds_on) {
    const data::TemporaryDirectory empty;
    const Course found = read_course(all_rubrics(), empty.path());
    BOOST_TEST(found.title.empty());
    BOOST_TEST_REQUIRE(found.steps.size() == all_rubrics().size());
    std::vector<int> order;
    for (const CourseStep& step : found.steps) {
        BOOST_TEST(!step.about.empty());
        order.push_back(step.number);
    }
    // By number, but multi-head attention comes after the masks that it may call.
    BOOST_TEST(
        order == (std::vector<int>{1, 2, 4, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21}),
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(assignments_that_call_each_other_keep_the_order_of_their_numbers) {
    std::vector<Rubric> rubrics = all_rubrics();
    std::erase_if(rubrics, [](const Rubric& rubric) { return rubric.number > 3; });
    BOOST_TEST_REQUIRE(rubrics.size() == 3U);
    rubrics[1].parts.front().builds_on.emplace_back("split_heads");
    std::vector<int> order;
    for (const CourseStep& step : whole_course(rubrics).steps) order.push_back(step.number);
    BOOST_TEST(order == (std::vector<int>{1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_an_assignment_builds_on_follows_from_its_parts) {
    const Course found = whole_course(all_rubrics());
    BOOST_TEST(found.at(2).builds_on.empty());
    BOOST_TEST(found.at(3).builds_on == (std::vector<int>{2, 4}), boost::test_tools::per_element());
    BOOST_TEST(found.at(6).builds_on == (std::vector<int>{3, 5}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_file_chooses_assignments_their_order_and_their_titles) {
    const Course found = course_in_text(kText);
    BOOST_TEST(found.title == "Attention, autumn");
    BOOST_TEST(found.notes == std::vector<std::string>{"Rows are vectors."},
               boost::test_tools::per_element());
    BOOST_TEST_REQUIRE(found.steps.size() == 4U);
    BOOST_TEST(found.steps[0].number == 5);
    BOOST_TEST(found.steps[0].title == "Homework 1: Transformer block");
    BOOST_TEST(found.steps[0].handout == "assignments/05_transformer_block/README.md");
    BOOST_TEST(found.steps[1].title == "Softmax and more");
    BOOST_TEST(found.steps[1].notes.size() == 2U);
    BOOST_TEST(found.steps[2].title == "Multi-head attention");
    BOOST_TEST(found.steps[3].later);
    BOOST_TEST(found.steps[3].title == "Not written yet");
    BOOST_TEST((found.find(998) == nullptr));
    BOOST_TEST((found.find(4) == nullptr));
    BOOST_CHECK_EXCEPTION(found.at(4), UserError, [](const UserError& error) {
        return std::string(error.what()).find("has no assignment 4; it has 5, 2, 3") != std::string::npos;
    });
    const auto chosen = rubrics_of(found, all_rubrics());
    BOOST_TEST_REQUIRE(chosen.size() == 3U);
    BOOST_TEST(chosen[0]->number == 5);
    BOOST_TEST(rubrics_of(found, all_rubrics(), 3).size() == 1U);
}

BOOST_AUTO_TEST_CASE(functions_of_assignments_outside_of_the_course_are_known) {
    const Course found =
        course_in_text("title = \"a\"\n[[assignment]]\nnumber = 6\n[[assignment]]\nnumber = 5\n");
    BOOST_TEST(found.at(6).builds_on.empty());
    BOOST_TEST(found.at(6).called_early == std::vector<int>{5}, boost::test_tools::per_element());
    BOOST_TEST(found.at(6).left_out == std::vector<int>{3}, boost::test_tools::per_element());
    std::vector<int> besides;
    for (const Rubric* rubric : called_besides(found, all_rubrics())) besides.push_back(rubric->number);
    // 3 calls those of 2 and 4.
    BOOST_TEST(besides == (std::vector<int>{2, 3, 4}), boost::test_tools::per_element());
}

const std::string kDivided = R"(title = "Translators first"
[[assignment]]
number = 7
called = "Homework 1"
steps = [1, 2, 3, 4, 5]

[[assignment]]
number = 1

[[assignment]]
number = 7
called = "Homework 2"
steps = [6, 7, 8, 9]
)";

BOOST_AUTO_TEST_CASE(the_steps_of_one_assignment_can_stand_apart) {
    const Course found = course_in_text(kDivided);
    BOOST_TEST_REQUIRE(found.steps.size() == 3U);
    BOOST_TEST(found.steps[0].title == "Homework 1: Sequence to sequence, steps 1 to 5");
    BOOST_TEST(found.steps[0].about == "rnn_cell, lstm_cell, gru_cell, encode, decode_without_attention");
    BOOST_TEST(found.steps[2].title == "Homework 2: Sequence to sequence, steps 6 to 9");
    BOOST_TEST(found.at(7).whole_title == "Sequence to sequence");
    // Step 5 calls decoder_step.
    BOOST_TEST(found.steps[0].builds_on.empty());
    BOOST_TEST(found.steps[0].called_early == std::vector<int>{1}, boost::test_tools::per_element());
    BOOST_TEST(found.steps[2].builds_on == std::vector<int>{1}, boost::test_tools::per_element());
    // It is graded once, at its first place.
    std::vector<int> graded;
    for (const Rubric* rubric : rubrics_of(found, all_rubrics())) graded.push_back(rubric->number);
    BOOST_TEST(graded == (std::vector<int>{7, 1}), boost::test_tools::per_element());
    BOOST_TEST(rubrics_of(found, all_rubrics(), 7).size() == 1U);
    BOOST_CHECK_EXCEPTION(found.at(4), UserError, [](const UserError& error) {
        return std::string(error.what()).find("has no assignment 4; it has 7, 1;") != std::string::npos;
    });
}

BOOST_AUTO_TEST_CASE(words_for_steps) {
    const auto title = [](const std::string& steps, const std::string& rest) {
        return course_in_text("title = \"a\"\n[[assignment]]\nnumber = 7\nsteps = " + steps +
                              "\n[[assignment]]\nnumber = 7\nsteps = " + rest + "\n")
            .steps[0]
            .title;
    };
    BOOST_TEST(title("[2]", "[1, 3, 4, 5, 6, 7, 8, 9]") == "Sequence to sequence, step 2");
    BOOST_TEST(title("[1, 2]", "[3, 4, 5, 6, 7, 8, 9]") == "Sequence to sequence, steps 1 and 2");
    BOOST_TEST(title("[1, 2, 9]", "[3, 4, 5, 6, 7, 8]") == "Sequence to sequence, steps 1, 2 and 9");
}

struct BrokenCourse {
    std::string what;
    std::vector<proof::Edit> edits;
    std::string at, found, expected;
};

void check_broken(const std::string& whole, const std::vector<BrokenCourse>& broken) {
    for (const BrokenCourse& each : broken) {
        const data::TemporaryDirectory folder;
        const std::string text = proof::edited(whole, each.edits);
        folder.write("mine.toml", text);
        std::string complaint;
        try {
            read_course(all_rubrics(), kAssignments, folder / "mine.toml");
        } catch (const UserError& error) {
            complaint = error.what();
        }
        BOOST_TEST_CONTEXT(each.what << ": " << complaint) {
            const std::string place = (folder / "mine.toml").string() + ":" + line_of(text, each.at) + ": ";
            BOOST_TEST(complaint.substr(0, place.size()) == place);
            BOOST_TEST((complaint.find(each.found) != std::string::npos));
            BOOST_TEST((complaint.find(each.expected) != std::string::npos));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_mistake_in_the_file_is_reported_with_its_line) {
    const std::vector<BrokenCourse> broken{
        {"no title",
         {{"title = \"Attention, autumn\"\n", ""}},
         "notes = [\"Rows",
         "the course has no 'title'",
         "a text"},
        {"a number that does not exist",
         {{"number = 3\n", "number = 97\n"}},
         "number = 97",
         "there is no assignment 97; known are 1, 2",
         "later = true"},
        {"a number twice",
         {{"number = 3\n", "number = 5 # 2\n"}},
         "number = 5 # 2",
         "assignment 5 already",
         "once"},
        {"a number in words",
         {{"number = 3\n", "number = \"3\"\n"}},
         "number = \"3\"",
         "'number' is '3'",
         "whole number"},
        {"an unknown key", {{"called =", "name ="}}, "name = ", "unknown key 'name'", "called"},
        {"a later one without a title",
         {{"title = \"Not written yet\"\n", ""}},
         "[[assignment]]\nnumber = 998",
         "has no 'title'",
         "a text"},
        {"later in words",
         {{"later = true", "later = \"yes\""}},
         "later = \"yes\"",
         "'later' is",
         "true or false"},
        {"a note that is no list",
         {{"notes = [\"E has no scale.\", \"Here it has.\"]", "notes = \"E\""}},
         "notes = \"E\"",
         "'notes' is",
         "a list of texts"},
        {"nothing to work on",
         {{"number = 5\n", "number = 5\nlater = true\n"},
          {"number = 2\n", "number = 2\nlater = true\n"},
          {"number = 3\n", "number = 3\nlater = true\n"}},
         "[[assignment]]\nnumber = 5",
         "come later",
         "at least one"},
    };
    check_broken(kText, broken);
    BOOST_CHECK_THROW(course_in_text("title = \"a\"\n"), UserError);
    BOOST_CHECK_THROW(course_in_text("title = \n"), UserError);
}

BOOST_AUTO_TEST_CASE(a_mistake_in_divided_assignments_is_reported_with_its_line) {
    check_broken(kDivided, {
                               {"a step that the handout does not have",
                                {{"[6, 7, 8, 9]", "[6, 7, 8, 9, 10]"}},
                                "steps = [6",
                                "assignment 7 has no step 10",
                                "its steps are 1, 2, 3, 4, 5, 6, 7, 8, 9"},
                               {"a step twice",
                                {{"[6, 7, 8, 9]", "[5, 6, 7, 8, 9]"}},
                                "steps = [5",
                                "has step 5 of assignment 7 already",
                                "each step once"},
                               {"a step without a place",
                                {{"[6, 7, 8, 9]", "[6, 7]"}},
                                "[[assignment]]\nnumber = 7\ncalled = \"Homework 1\"",
                                "no place for steps 8 and 9 of assignment 7",
                                "graded as a whole"},
                               {"the whole assignment after some of its steps",
                                {{"steps = [6, 7, 8, 9]\n", "# whole\n"}},
                                "number = 7\ncalled = \"Homework 2\"",
                                "assignment 7 already",
                                "`steps` at each of its places"},
                               {"steps as a text",
                                {{"[6, 7, 8, 9]", "\"6-9\""}},
                                "steps = \"6-9\"",
                                "'steps' is",
                                "a list of growing whole numbers"},
                               {"no steps",
                                {{"[6, 7, 8, 9]", "[]"}},
                                "steps = []",
                                "'steps' is",
                                "a list of growing whole numbers"},
                               {"steps of what comes later",
                                {{"called = \"Homework 2\"", "later = true"}},
                                "steps = [6",
                                "unknown key 'steps'",
                                "later"},
                           });
}

BOOST_AUTO_TEST_CASE(the_course_of_the_guide_is_one) {
    const std::string guide = data::read_file(kAssignments / "README.md"), fence = "```toml course\n";
    const std::size_t begin = guide.find(fence);
    BOOST_TEST_REQUIRE(begin != std::string::npos);
    const std::string block = guide.substr(begin + fence.size());
    const Course found = course_in_text(block.substr(0, block.find("```")));
    BOOST_TEST(found.title == "Attention, autumn");
    BOOST_TEST(found.at(5).title == "Homework 2: The block");
    BOOST_TEST(found.at(2).notes.size() == 1U);
    BOOST_TEST(found.at(7).steps.back() == 5);
    BOOST_TEST(found.steps.back().later);
}

BOOST_AUTO_TEST_CASE(an_unknown_name_is_refused_with_the_names_that_are_known) {
    BOOST_CHECK_EXCEPTION(read_course(all_rubrics(), kAssignments, "eecs489"), UserError,
                          [](const UserError& error) {
                              const std::string text = error.what();
                              return text.find("eecs489: there is no such file") != std::string::npos &&
                                     text.find("cs60010, cs7643") != std::string::npos;
                          });
    BOOST_TEST(read_course(all_rubrics(), kAssignments, "eecs498").title.find("EECS 498") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_file_beside_the_assignments_is_the_course_as_it_is_installed) {
    const data::TemporaryDirectory folder;
    folder.write("course.toml", kText);
    BOOST_TEST(read_course(all_rubrics(), folder.path()).steps.size() == 4U);
    // A course that is asked for comes first.
    BOOST_TEST(read_course(all_rubrics(), folder.path(), (kAssignments / "courses/cse517.toml").string())
                   .at(9)
                   .number == 9);
}

// When an assignment is added, this test names the courses in which it is still marked `later`.
BOOST_AUTO_TEST_CASE(the_shipped_courses_hide_no_assignment_that_exists_and_never_go_backwards) {
    int courses = 0;
    for (const fs::directory_entry& each : fs::directory_iterator(kAssignments / kCoursesFolder)) {
        ++courses;
        const Course found = read_course(all_rubrics(), kAssignments, each.path().string());
        for (const CourseStep& step : found.steps) {
            BOOST_TEST_CONTEXT(each.path().filename() << ", assignment " << step.number) {
                BOOST_TEST(
                    !(step.later && std::ranges::count(all_rubrics(), step.number, &Rubric::number) != 0),
                    "it exists now: remove later = true (and the title, if it is the rubric's)");
                // Of the translator without attention one line is also a function of assignment 1.
                const bool plain_translator = step.number == 7 && step.called_early == std::vector<int>{1};
                BOOST_TEST((step.called_early.empty() || plain_translator),
                           "it comes before an assignment that it builds on");
            }
        }
    }
    BOOST_TEST(courses == 5);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::rubric
