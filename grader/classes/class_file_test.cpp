#include "grader/classes/class_file.h"

#include <boost/test/unit_test.hpp>

#include "datasets/files/temporary_directory.h"
#include "grader/base/errors.h"
#include "grader/classes/moments.h"
#include "grader/testing/run_grader.h"

namespace attn::classes {
namespace {

BOOST_AUTO_TEST_SUITE(class_file)

ClassRules rules_in(const std::string& text) {
    const data::TemporaryDirectory folder;
    folder.write("class.toml", text);
    return read_class_file(folder.path());
}

BOOST_AUTO_TEST_CASE(all_rules_are_read) {
    const ClassRules rules = rules_in(R"(title = "Attention"
seed_file = "secret.txt"
course = "eecs498"
speed = true
[[exercise]]
assignment = 2
due = "2026-11-20T23:59:00+01:00"
grace_minutes = 15
percent_a_day = 12.5
most_days = 4
counts = "best"
[[exercise.extension]]
who = "anna@x.org"
until = "2026-11-27T23:59:00+01:00"
reason = "ill"
[[exercise]]
assignment = 3
)");
    BOOST_TEST(rules.title == "Attention");
    BOOST_TEST(rules.seed_file.filename() == "secret.txt");
    BOOST_TEST(rules.seed_file.is_absolute());
    BOOST_TEST(rules.course == "eecs498");
    BOOST_TEST(rules.speed);
    const ExerciseRules& second = rules.exercise(2);
    BOOST_TEST(moment_text(second.due.value()) == "2026-11-20T22:59:00Z");
    BOOST_TEST(second.grace_minutes == 15);
    BOOST_TEST(second.percent_a_day == 12.5);
    BOOST_TEST(second.most_days == 4);
    BOOST_TEST((second.counts == Counts::best));
    BOOST_TEST(second.extensions.at(0).reason == "ill");
    BOOST_TEST(!rules.exercise(3).due);
    BOOST_TEST((rules.exercise(3).counts == Counts::latest));
    BOOST_CHECK_THROW(rules.exercise(4), UserError);
}

BOOST_AUTO_TEST_CASE(the_zone_is_that_of_times_without_one) {
    const ClassRules rules = rules_in(
        "title = \"A\"\nspeed = false\nzone = \"Europe/Berlin\"\n[[exercise]]\nassignment = 2\n"
        "due = \"2026-11-20 23:59\"\n");
    BOOST_TEST(moment_text(rules.exercise(2).due.value()) == "2026-11-20T23:59:00+01:00");
    // What init writes has it, too.
    BOOST_TEST(cli::contains(new_class_file("T", {1}, {}, false), "\nzone = \"Europe/Berlin\""));
    use_course_zone("");
    BOOST_TEST(moment_text(rules.exercise(2).due.value()) == "2026-11-20T22:59:00Z");
    BOOST_CHECK_THROW(
        rules_in("title = \"A\"\nspeed = false\nzone = \"Berlin\"\n[[exercise]]\nassignment = 2\n"),
        UserError);
}

BOOST_AUTO_TEST_CASE(mistakes_are_named_with_their_line) {
    const std::string begin = "title = \"A\"\n[[exercise]]\nassignment = 2\n";
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"title = \"A\"", "exercise"},
        {begin + "du = \"x\"", "class.toml:4"},
        {begin + "due = \"tomorrow\"", "class.toml:4: 'tomorrow' is not a moment"},
        {begin + "due = \"2026-11-20T23:59:00\"", "it has no zone"},
        {begin + "percent_a_day = 101", "class.toml:4"},
        {begin + "counts = \"first\"", "expected 'latest' or 'best'"},
        {begin + "[[exercise]]\nassignment = 2", "two exercises with assignment 2"},
        {begin + "[[exercise.extension]]\nwho = \"a\"\nuntil = \"2026-11-20T23:59Z\"\nreason = \"r\"",
         "no 'due'"},
        {begin + "due = \"2026-11-20T23:59Z\"\n[[exercise.extension]]\nwho = \"a\"\nuntil = "
                 "\"2026-11-19T23:59Z\"\n"
                 "reason = \"r\"",
         "the extension ends before"},
        {begin + "due = \"2026-11-20T23:59Z\"\n[[exercise.extension]]\nwho = \"a\"\nuntil = "
                 "\"2026-11-21T23:59Z\"\n"
                 "reason = \"\"",
         "'reason' is empty"}};
    for (const auto& [text, expected] : wrong) {
        std::string said;
        try {
            rules_in(text);
        } catch (const UserError& error) {
            said = error.what();
        }
        BOOST_TEST(cli::contains(said, expected), text << "\nsays: " << said);
    }
}

BOOST_AUTO_TEST_CASE(what_init_writes_is_read_again) {
    const ClassRules rules =
        rules_in(new_class_file("A \"quoted\" \\ title\n", {1, 2}, read_moment("2026-11-20T22:59Z"), true));
    BOOST_TEST(rules.title == "A \"quoted\" \\ title ");
    BOOST_TEST(rules.exercises.size() == 2U);
    BOOST_TEST(!rules.seed_file.empty());
    BOOST_TEST(rules_in(new_class_file("T", {1}, {}, false)).seed_file.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::classes
