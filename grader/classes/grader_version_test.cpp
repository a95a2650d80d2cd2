// Another version of the grader grades nothing again before the teacher has agreed, and nothing is lost.

#include "grader/classes/grader_version.h"

#include <boost/test/unit_test.hpp>

#include "grader/base/version.h"
#include "grader/testing/run_grader.h"
#include "grader/testing/test_class.h"

namespace attn::classes {
namespace {

BOOST_AUTO_TEST_SUITE(grader_version)

using cli::contains;
using testing::TestClass;

/// A class with two hand-ins, graded and published.
struct GradedClass : TestClass {
    GradedClass() {
        for (const std::string name : {"anna", "ben"})
            write("work/" + name + "/all.zip",
                  zip_of_work(name == "ben" ? std::set<std::string>{"softmax"} : std::set<std::string>{},
                              name));
        run({"add", file("work").string()});
        run({"grade"});
        run({"publish"});
        grader().calls();
    }
    void add(const std::string& name) const {
        write("work/" + name + "/all.zip", zip_of_work({}, name));
        run({"add", file("work").string()});
    }
    Gradebook gradebook() const {
        return Gradebook(open_gradebook(folder() / "gradebook.db", Database::Access::read));
    }
    std::string versions() const {
        Gradebook book = gradebook();
        Statement row(book.database(),
                      "SELECT group_concat(version, '; ') FROM (SELECT * FROM grader ORDER BY id)");
        row.step();
        return row.text(0);
    }
};

BOOST_AUTO_TEST_CASE(a_program_says_which_version_it_is) {
    const data::TemporaryDirectory folder;
    BOOST_TEST(version_of_program(testing::built_grader()) == version_line(testing::built()));
    const testing::FakeGrader fake;
    BOOST_TEST(version_of_program(fake.program()) == "Attention Lab 1.0.0, a fake");
    folder.write("old", "#!/bin/sh\necho there is no command --version; exit 2\n");
    std::filesystem::permissions(folder / "old", std::filesystem::perms::owner_all);
    BOOST_TEST(version_of_program(folder / "old") == "an unknown version");
}

BOOST_AUTO_TEST_CASE(another_version_is_refused_before_anything_is_graded_or_decided) {
    const GradedClass test;
    BOOST_TEST(contains(test.run({"status"}), "\n  graded with Attention Lab 1.0.0, a fake\n"));
    test.grader().become("1.1.0");
    for (const Words& words : {Words{"grade"}, Words{"override", "anna", "50", "--reason", "r"},
                               Words{"late", "anna", "2026-11-20T23:30Z", "--reason", "r"}}) {
        const std::string refused = test.refused(words);
        BOOST_TEST(
            contains(refused,
                     "assignment 2 was graded with Attention Lab 1.0.0, a fake; this grader is Attention "
                     "Lab 1.1.0, a fake. It would grade 2 hand-ins again, which can change marks; nothing "
                     "was changed. To go on with this version, type grader class grade --with-this-version."),
            words.front() << ": " << refused);
    }
    BOOST_TEST(test.grader().calls().empty());
    const std::string status = test.run({"status"});
    BOOST_TEST(contains(status, "this grader is Attention Lab 1.1.0, a fake; it would grade 2 of them again"),
               status);
    // What is published can still be exported.
    test.run({"export", "--to", "csv", "--grades", test.file("marks").string()});
    BOOST_TEST(contains(data::read_file(test.file("marks")), "85 of 85"));
    // The earlier version goes on as if nothing had been.
    test.grader().become("1.0.0");
    test.add("cem");
    BOOST_TEST(contains(test.run({"grade"}), "1 graded, 0 not gradable, 2 unchanged"));
    BOOST_TEST(test.versions() == "Attention Lab 1.0.0, a fake");
}

BOOST_AUTO_TEST_CASE(a_teacher_who_agrees_gets_all_hand_ins_graded_again_and_is_not_asked_twice) {
    const GradedClass test;
    test.grader().become("1.1.0");
    test.add("cem");
    BOOST_TEST(test.refused({"grade"}) != "");
    const std::string graded = test.run({"grade", "--with-this-version"});
    BOOST_TEST(contains(graded, "3 graded, 0 not gradable, 0 unchanged"), graded);
    BOOST_TEST(test.versions() == "Attention Lab 1.0.0, a fake; Attention Lab 1.1.0, a fake");
    test.add("dora");
    const std::string more = test.run({"grade"});
    BOOST_TEST(contains(more, "1 graded, 0 not gradable, 3 unchanged"), more);
    // Results of the earlier version are still there.
    test.grader().become("1.0.0");
    BOOST_TEST(contains(test.refused({"grade"}), "It would grade 2 hand-ins again"));
}

/// The lines of a report name the version, so every report of a class does.
BOOST_AUTO_TEST_CASE(work_that_was_interrupted_goes_on_without_another_question) {
    const GradedClass test;
    test.grader().become("1.1.0");
    {
        Gradebook book(open_gradebook(test.folder() / "gradebook.db", Database::Access::write));
        const ClassFolder folder = ClassFolder::find(test.folder().string());
        Exercise exercise(folder, read_class_file(test.folder()), 2, testing::built(),
                          test.grader().program());
        BOOST_TEST(grader_change(book, exercise, "new").again == 2U);
        // As a command does that is killed as soon as the teacher has agreed.
        record_grader(book, exercise, "Attention Lab 1.1.0, a fake");
        BOOST_TEST(grader_change(book, exercise, "new").again == 0U);
    }
    BOOST_TEST(contains(test.run({"grade"}), "2 graded, 0 not gradable, 0 unchanged"));
}

BOOST_AUTO_TEST_CASE(
    other_files_of_the_same_version_are_another_grader_but_another_commit_of_the_same_files_is_none) {
    const GradedClass test;
    Gradebook book(open_gradebook(test.folder() / "gradebook.db", Database::Access::write));
    const ClassFolder folder = ClassFolder::find(test.folder().string());
    const auto opened = [&] {
        return Exercise(folder, read_class_file(test.folder()), 2, testing::built(), test.grader().program());
    };
    Exercise same = opened();
    BOOST_TEST(grader_change(book, same, "another commit").again == 0U);
    record_grader(book, same, "another commit");
    record_grader(book, same, "another commit");
    BOOST_TEST(test.versions() == "Attention Lab 1.0.0, a fake; another commit");
    std::ofstream(test.grader().program(), std::ios::app) << "# changed\n";
    Exercise other = opened();
    const GraderChange change = grader_change(book, other, "another commit");
    BOOST_TEST(contains(change.text(2), "this grader says the same, but its files or the compiler"),
               change.text(2));
}

BOOST_AUTO_TEST_CASE(a_gradebook_of_a_version_that_recorded_nothing_is_asked_about_too) {
    const GradedClass test;
    open_gradebook(test.folder() / "gradebook.db", Database::Access::write).run("DELETE FROM grader");
    BOOST_TEST(test.refused({"grade"}) == "");  // nothing to grade again
    open_gradebook(test.folder() / "gradebook.db", Database::Access::write).run("DELETE FROM grader");
    test.grader().become("1.1.0");
    BOOST_TEST(contains(test.refused({"grade"}), "was graded with a version before 1.0.0; this grader is"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::classes
