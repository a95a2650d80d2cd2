// The commands that the instructors' page shows, as they stand there.

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "grader/classes/moments.h"
#include "grader/proof/harness.h"
#include "grader/testing/built.h"
#include "grader/testing/class_downloads.h"
#include "grader/testing/run_grader.h"

namespace attn::classes {
namespace {

BOOST_AUTO_TEST_SUITE(class_readme, *boost::unit_test::label("long"))

using cli::contains;

/// The block of commands of the page that makes a class.
std::string commands_of_page() {
    const std::string page = data::read_file(testing::built().sources / "grader/classes/README.md"),
                      fence = "```";
    const std::size_t inside = page.find("grader class init");
    BOOST_TEST_REQUIRE(inside != std::string::npos);
    const std::size_t begin = page.find('\n', page.rfind(fence, inside)) + 1;
    return page.substr(begin, page.find(fence, inside) - begin);
}

BOOST_AUTO_TEST_CASE(an_instructor_gets_from_the_download_to_the_grades) {
    const data::TemporaryDirectory place;
    std::filesystem::create_directories(place / "build");
    std::filesystem::create_symlink(testing::built_grader().parent_path(), place / "build/grader");
    const Moment in_time = read_moment("2026-11-20T20:00Z"), late = read_moment("2026-11-22T10:00Z");
    const Person anna{"101", "Anna Meyer", "anna@example.org", "", ""},
        ben{"102", "Ben O'Neill", "ben@example.org", "", ""},
        cem{"103", "Cem, Jr. Kaya", "cem@example.org", "", ""};
    const std::string stub = data::read_file(testing::built().sources / "student/self_attention.cpp");
    write_sample_zip(
        place / "submissions.zip",
        sample_download("moodle",
                        {{{anna}, {{"self_attention.cpp", proof::solution("self_attention")}}, in_time},
                         {{ben}, {{"self_attention.cpp", stub}}, in_time},
                         {{cem}, {{"self_attention.cpp", proof::solution("self_attention")}}, late}}));
    const std::string people =
        "Participant 101,Anna Meyer,anna@example.org\nParticipant 102,Ben O'Neill,ben@example.org\n"
        "Participant 103,\"Cem, Jr. Kaya\",cem@example.org\nParticipant 104,Dora Ray,dora@example.org\n";
    place.write("participants.csv", "Identifier,Full name,Email address\n" + people);
    std::string worksheet =
        "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
        "Last modified (submission),Last modified (grade),Feedback comments\n";
    std::istringstream lines(people);
    // As Moodle writes times; Cem was late, and Dora handed nothing in.
    const std::vector<std::string> times = {"\"Friday, 20 November 2026, 9:00 PM\"",
                                            "\"Friday, 20 November 2026, 9:00 PM\"",
                                            "\"Sunday, 22 November 2026, 11:00 AM\"", "-"};
    std::size_t row = 0;
    for (std::string line; std::getline(lines, line);)
        worksheet += line + ",Submitted,,100.00,Yes," + times.at(row++) + ",-,\n";
    place.write("worksheet.csv", worksheet);

    std::string script = commands_of_page();
    const std::string make = "make class-program\n";
    BOOST_TEST_REQUIRE(script.starts_with(make));  // built already
    script.erase(0, make.size());
    worker::Command command;
    command.argv = {"/bin/sh", "-ec", script + "grader class show cem@example.org\n"};
    command.environment = testing::environment();
    command.directory = place.path();
    command.confinement.limits = cli::kNoLimits;
    constexpr double kTimeLimit_s = 600;
    const worker::CommandResult result = worker::run_command(command, kTimeLimit_s, 1 << 20);
    BOOST_TEST_CONTEXT(result.printed) {
        BOOST_TEST(result.ending.exit_code == 0);
        for (const char* text : {"3 hand-ins, 3 of them new", "3 graded, 0 not gradable",
                                 "handed nothing in: 1\n    Dora Ray", "Published: 3 marks",
                                 "marks of 2 students", "feedback of 2 students", "2 days late: 10 % a day"})
            BOOST_TEST(contains(result.printed, text), text);
        const std::string grades = data::read_file(place / "autumn/grades.csv");
        BOOST_TEST(contains(grades, "Participant 101,Anna Meyer,anna@example.org,Submitted,80"), grades);
        BOOST_TEST(!contains(grades, "Participant 102,Ben O'Neill,ben@example.org,Submitted,0"), grades);
        BOOST_TEST(contains(data::read_file(place / "autumn/insight/index.html"), "Anna Meyer"));
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::classes
