#include "grader/classes/grading_run.h"

#include <fstream>

#include <boost/test/unit_test.hpp>

#include "grader/classes/gradebook/database.h"
#include "grader/classes/late_rules.h"
#include "grader/classes/marks.h"
#include "grader/classes/moments.h"
#include "grader/classes/view.h"
#include "grader/testing/built.h"
#include "grader/testing/fake_grader.h"
#include "grader/testing/run_grader.h"

namespace attn::classes {
namespace {

BOOST_AUTO_TEST_SUITE(grading_run)

namespace fs = std::filesystem;
using cli::contains;
using Calls = std::vector<std::string>;

/// A class for assignment 2 with a copy of its rubric, graded by a fake grader.
struct SmallClass {
    data::TemporaryDirectory temporary;
    testing::FakeGrader grader;
    Installation installation = testing::built();
    ClassFolder folder;
    ClassRules rules;
    Gradebook gradebook;

    explicit SmallClass(bool speed = false)
        : folder(made_folder(temporary / "class")),
          gradebook(open_gradebook(folder.gradebook(), Database::Access::write)) {
        installation.assignments = temporary / "assignments";
        fs::create_directories(rubric_folder());
        for (const char* name : {"rubric.toml", "secret.toml", "self_attention.h"})
            fs::copy(testing::built().assignments / "02_self_attention" / name, rubric_folder() / name);
        rules.title = "Test";
        rules.speed = speed;
        rules.exercises.emplace_back().assignment = 2;
    }

    static ClassFolder made_folder(const fs::path& path) {
        make_class_folder(path, "title = \"T\"\n[[exercise]]\nassignment = 2\n");
        return ClassFolder::find(path.string());
    }
    fs::path rubric_folder() const { return temporary / "assignments" / "02_self_attention"; }

    void edit_rubric(const std::string& from, const std::string& to) const {
        std::string text = data::read_file(rubric_folder() / "rubric.toml");
        BOOST_TEST_REQUIRE(text.find(from) != std::string::npos, from);
        text.replace(text.find(from), from.size(), to);
        std::ofstream(rubric_folder() / "rubric.toml") << text;
    }

    Exercise exercise() const { return {folder, rules, 2, installation, grader.program()}; }

    /// An attempt of a student, who is added if they are new.
    Id add(const std::string& name, const std::set<std::string>& wrong, Moment when = 1000,
           const std::string& extra = "") {
        Id student = 0;
        for (const Student& each : gradebook.students())
            if (each.person.name == name) student = each.id;
        if (student == 0) student = gradebook.add_student({"", name, "", "", ""}, true);
        Attempt attempt;
        attempt.number = gradebook.next_attempt();
        attempt.exercise = 2;
        attempt.time.when = when;
        attempt.students = {student};
        testing::write_fake_submission(folder.attempt(attempt.number), exercise().rubric(), wrong,
                                       extra.empty() ? name + std::to_string(when) : extra);
        gradebook.add_attempt(attempt, 1);
        return attempt.number;
    }
    void write(Id attempt, const char* file, const std::string& text) const {
        std::ofstream(folder.attempt(attempt) / file) << text;
    }

    RunSummary run() {
        Exercise now_exercise = exercise();
        const auto engine = local_engine(folder.spool(), grader.program(), 2);
        return GradingRun(folder, gradebook, now_exercise, *engine, [](const RunProgress&) {}).run();
    }
    /// The marks by name, "none" without one.
    std::map<std::string, std::string> marks() {
        Exercise now_exercise = exercise();
        const Version version = update_version(gradebook, now_exercise);
        std::map<std::string, std::string> found;
        for (const Student& student : gradebook.students()) {
            const auto mark = version.marks.find(student.id);
            found[student.person.name] = mark == version.marks.end() ? "none" : mark->second.mark.explanation;
        }
        return found;
    }
};

BOOST_AUTO_TEST_CASE(nothing_unchanged_is_graded_twice) {
    SmallClass test;
    test.add("Anna", {});
    test.add("Ben", {"softmax"});
    test.add("Cem", {"softmax"}, 1000, "the same as Dora");
    test.add("Dora", {"softmax"}, 2000, "the same as Dora");
    BOOST_TEST(test.run().graded == 3U);
    BOOST_TEST(test.grader.calls() == (Calls{"1 report", "2 report", "3 report"}),
               boost::test_tools::per_element());
    const RunSummary again = test.run();
    BOOST_TEST(again.graded == 0U);
    BOOST_TEST(again.reused == 4U);
    BOOST_TEST(test.grader.calls().empty());
    BOOST_TEST(test.marks().at("Anna") == "85 of 85");
    BOOST_TEST(test.marks().at("Ben") == "65 of 85");
    BOOST_TEST(test.marks().at("Dora") == "65 of 85");
}

BOOST_AUTO_TEST_CASE(new_points_are_given_without_running_anything) {
    SmallClass test;
    test.add("Anna", {});
    test.add("Ben", {"softmax"});
    test.run();
    test.marks();
    test.gradebook.publish(1, 5);
    test.grader.calls();
    test.edit_rubric("numeric    = 12", "numeric    = 30");
    BOOST_TEST(test.run().graded == 0U);
    BOOST_TEST(test.grader.calls().empty());
    BOOST_TEST(test.marks().at("Anna") == "103 of 103");
    BOOST_TEST(test.marks().at("Ben") == "65 of 103");
    // Only Anna's mark is in the table of changes. What was published stays as it was.
    const auto changes = changed_marks(test.gradebook, test.gradebook.last_version(2, false).value());
    BOOST_TEST_REQUIRE(changes.size() == 1U);
    BOOST_TEST(changes[0].before.value() == 85);
    BOOST_TEST(changes[0].after.value() == 103);
    ViewReader published(test.gradebook, test.rules, test.gradebook.last_version(2, true).value(),
                         test.installation, true);
    const ClassView view = view_of(published, Reports::of_all);
    BOOST_TEST(view.students.at(0).mark->final == 85);
    BOOST_TEST(view.students.at(0).attempts.at(0).report->assignments.at(0).max_points == 85);
    BOOST_TEST(view.students.at(0).attempts.at(0).counts);
}

BOOST_AUTO_TEST_CASE(a_course_gives_other_titles_and_grades_nothing_again) {
    SmallClass test;
    test.add("Anna", {});
    test.run();
    test.marks();
    test.grader.calls();
    const fs::path course = test.temporary / "course.toml";
    std::ofstream(course) << "title = \"C\"\n[[assignment]]\nnumber = 2\ncalled = \"Homework 3\"\n";
    test.rules.course = course.string();
    BOOST_TEST(test.run().graded == 0U);
    BOOST_TEST(test.grader.calls().empty());
    test.marks();
    ViewReader reader(test.gradebook, test.rules, test.gradebook.last_version(2, false).value(),
                      test.installation, true);
    const ClassView view = view_of(reader, Reports::of_all);
    BOOST_TEST(view.title == "Test, assignment 2: Homework 3: Self-attention");
    const report::Report& report = view.students.at(0).attempts.at(0).report.value();
    BOOST_TEST(report.assignments.at(0).title == "Homework 3: Self-attention");
    BOOST_TEST(report.path.size() == 1U);
    // The job that grades a new attempt knows the course.
    Exercise exercise = test.exercise();
    const Attempt attempt = test.gradebook.attempts(2).at(0);
    const auto words =
        grader_words(exercise.plan(attempt, exercise.wanted_numbers(attempt), {}).job, "report.json");
    BOOST_TEST(std::ranges::count(words, course.string()) == 1);
    std::ofstream(course) << "title = \"C\"\n[[assignment]]\nnumber = 9\nlater = true\ntitle = \"x\"\n"
                             "[[assignment]]\nnumber = 7\n";
    BOOST_CHECK_THROW(test.exercise(), UserError);
}

BOOST_AUTO_TEST_CASE(an_edit_of_one_part_grades_this_part_only) {
    SmallClass test;
    test.add("Anna", {});
    test.add("Ben", {"softmax"});
    test.run();
    test.grader.calls();
    test.edit_rubric("sizes = { N = 5,  D = 7 }", "sizes = { N = 5, D = 8 }");
    BOOST_TEST(test.run().graded == 2U);
    BOOST_TEST(test.grader.calls() == (Calls{"1 part_softmax", "2 part_softmax"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_clock_that_jumps_changes_no_mark) {
    SmallClass test;
    test.add("Anna", {});
    test.add("Ben", {"softmax"});
    test.run();
    const auto before = test.marks();
    // Everything so far was made in the future, as if the clock had been put back since.
    for (const char* column :
         {"result SET made = made", "version SET made = made", "attempt SET added = added"})
        test.gradebook.database().run(fmt::format("UPDATE {} + 400000000", column));
    test.grader.calls();
    BOOST_TEST(test.run().graded == 0U);
    BOOST_TEST((test.marks() == before));
    test.edit_rubric("sizes = { N = 5,  D = 7 }", "sizes = { N = 5, D = 8 }");
    BOOST_TEST(test.run().graded == 2U);
    BOOST_TEST(test.run().graded == 0U);
    BOOST_TEST((test.marks() == before));
    BOOST_TEST(test.gradebook.last_version(2, false).value().made < now() + 1000);
}

BOOST_AUTO_TEST_CASE(parts_graded_again_take_their_place_among_the_others) {
    SmallClass test;
    test.add("Ben", {"softmax"});
    test.run();
    BOOST_TEST(test.marks().at("Ben") == "65 of 85");
    test.edit_rubric("\"rows_do_not_mix\"]", "]");
    test.grader.calls();
    // The stand-in's answer for the part has the rubric of before; one property less makes no difference for
    // wrong numbers.
    test.run();
    BOOST_TEST(test.grader.calls() == Calls{"1 part_softmax"}, boost::test_tools::per_element());
    BOOST_TEST(test.marks().at("Ben") == "65 of 85");
    const auto result =
        test.gradebook.result(test.exercise().wanted_numbers(test.gradebook.attempts().at(0)).key);
    const report::Report report = unpacked_report(result.value().report);
    BOOST_TEST(report.assignments.at(0).parts.size() == 3U);
    BOOST_TEST(report.assignments.at(0).parts.at(0).function == "softmax");
}

BOOST_AUTO_TEST_CASE(submissions_with_kernels_are_graded_as_a_whole) {
    SmallClass test;
    const Id anna = test.add("Anna", {});
    test.write(anna, "self_attention.cu", "__global__ void f();\n");
    test.run();
    test.grader.calls();
    test.edit_rubric("sizes = { N = 5,  D = 7 }", "sizes = { N = 5, D = 8 }");
    test.run();
    BOOST_TEST(test.grader.calls() == Calls{"1 report"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_fault_is_tried_again_and_is_never_a_mark) {
    SmallClass test;
    test.write(test.add("Anna", {}), "exit_once", "3");
    test.write(test.add("Ben", {}), "exit", "3");
    const RunSummary summary = test.run();
    BOOST_TEST(summary.graded == 1U);
    BOOST_TEST_REQUIRE(summary.faults.size() == 1U);
    BOOST_TEST(summary.faults[0].tries == GradingRun::kTries);
    BOOST_TEST(contains(summary.faults[0].text, "exit code 3"));
    BOOST_TEST(test.grader.calls().size() == 2U + GradingRun::kTries);
    BOOST_TEST(test.marks().at("Anna") == "85 of 85");
    BOOST_TEST(test.marks().at("Ben") == "none");
    // The next run tries again. A result ends the record of faults.
    fs::remove(test.folder.attempt(2) / "exit");
    BOOST_TEST(test.run().graded == 1U);
    BOOST_TEST(test.gradebook.faults().empty());
    BOOST_TEST(test.marks().at("Ben") == "85 of 85");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_graded_is_a_sentence_and_no_zero) {
    SmallClass test;
    test.write(test.add("Anna", {}), "exit", "2");
    BOOST_TEST(test.run().refused == 1U);
    BOOST_TEST(test.marks().at("Anna") == "none");
    Exercise exercise = test.exercise();
    const AttemptState state = state_of(test.gradebook, exercise, test.gradebook.attempts().at(0), {});
    BOOST_TEST(state.problem == "this cannot be used");
    BOOST_TEST(!state.pending);
    // A better attempt before it counts, and the mark says so.
    test.add("Anna", {}, 500);
    test.run();
    BOOST_TEST(test.marks().at("Anna") == "85 of 85; the attempt of 1970-01-01T00:16:40Z cannot be graded");
}

BOOST_AUTO_TEST_CASE(the_latest_or_the_best_attempt_counts) {
    SmallClass test;
    test.rules.exercises[0].due = 1000;
    test.rules.exercises[0].percent_a_day = 50;
    test.add("Anna", {"softmax"}, 1000);
    test.add("Anna", {}, 1001);
    test.run();
    BOOST_TEST(test.marks().at("Anna") == "85 of 85, 1 day late: 50 % a day, 42.5 off, 42.5");
    test.rules.exercises[0].counts = Counts::best;
    BOOST_TEST(test.marks().at("Anna") == "65 of 85");
    // While an attempt that may count is not graded, there is no mark.
    test.add("Anna", {}, 900);
    BOOST_TEST(test.marks().at("Anna") == "none");
    test.run();
    BOOST_TEST(test.marks().at("Anna") == "85 of 85");
}

BOOST_AUTO_TEST_CASE(speed_is_measured_for_right_parts_and_apart_from_the_numbers) {
    SmallClass test(true);
    test.add("Anna", {});
    test.add("Ben", {"scaled_dot_product_attention"});
    test.run();
    BOOST_TEST(test.grader.calls() == (Calls{"1 part_scaled_dot_product_attention", "1 report", "2 report"}),
               boost::test_tools::per_element());
    const auto marks = test.marks();
    BOOST_TEST(contains(marks.at("Ben"), " of 100"));
    BOOST_TEST(marks.at("Ben") != marks.at("Anna"));
    BOOST_TEST(test.run().graded == 0U);
    // Other terms of speed measure speed again, and nothing else.
    test.edit_rubric("yardstick = 0.5", "yardstick = 0.4");
    test.run();
    BOOST_TEST(test.grader.calls() == Calls{"1 part_scaled_dot_product_attention"},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(endings_that_an_earlier_run_left_are_taken_in) {
    SmallClass test;
    const Id anna = test.add("Anna", {"softmax"});
    Exercise exercise = test.exercise();
    const Attempt attempt = test.gradebook.attempts().at(0);
    const auto planned = exercise.plan(attempt, exercise.wanted_numbers(attempt), std::nullopt);
    fs::copy(test.folder.attempt(anna) / "report.json",
             ending_file(test.folder.spool(), planned.job.name, Ending::graded));
    BOOST_TEST(test.run().graded == 1U);
    BOOST_TEST(test.grader.calls().empty());
    BOOST_TEST(test.marks().at("Anna") == "65 of 85");
    BOOST_TEST(fs::is_empty(test.folder.spool()));
}

BOOST_AUTO_TEST_CASE(a_rubric_that_changes_under_way_stops_the_run) {
    SmallClass test;
    test.add("Anna", {});
    Exercise exercise = test.exercise();
    test.edit_rubric("numeric    = 12", "numeric    = 13");
    const auto engine = local_engine(test.folder.spool(), test.grader.program(), 1);
    GradingRun run(test.folder, test.gradebook, exercise, *engine, [](const RunProgress&) {});
    BOOST_CHECK_THROW(run.run(), UserError);
    BOOST_TEST(!test.gradebook.has_result(exercise.wanted_numbers(test.gradebook.attempts().at(0)).key));
}

BOOST_AUTO_TEST_CASE(a_decision_replaces_a_mark_and_both_stay_recorded) {
    SmallClass test;
    test.add("Anna", {"softmax"});
    test.run();
    const Id anna = test.gradebook.students().at(0).id;
    test.gradebook.add_override(2, {anna, 80.0, false, "oral exam", "Prof. X", 7});
    BOOST_TEST(test.marks().at("Anna") == "80 instead of 65 of 85 (oral exam; decided by Prof. X)");
    const Version version = test.gradebook.last_version(2, false).value();
    BOOST_TEST(version.marks.at(anna).mark.raw == 65);
    BOOST_TEST(version.marks.at(anna).mark.final == 80);
    test.gradebook.add_override(2, {anna, std::nullopt, false, "by mistake", "Prof. X", 8});
    BOOST_TEST(test.marks().at("Anna") == "65 of 85");
    BOOST_TEST(test.gradebook.overrides(2).size() == 2U);
}

BOOST_AUTO_TEST_CASE(progress_tells_what_is_left_and_what_fails_most) {
    const RunProgress progress{"numbers", 40, 300, 60, "softmax.ragged (17 of 40)"};
    BOOST_TEST(progress.text() ==
               "numbers: 40 of 300, about 6 min left; fails most: softmax.ragged (17 of 40)");
    BOOST_TEST((RunProgress{"speed", 0, 3, 0, ""}.text() == "speed: 0 of 3"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::classes
