// Downloads as the platforms' source code writes them, not as testing/class_downloads.h does, with the record of times
// that each platform has: every student gets the right time.

#include <map>

#include <boost/test/unit_test.hpp>

#include "datasets/files/temporary_directory.h"
#include "grader/classes/gradebook/database.h"
#include "grader/classes/run_tool.h"
#include "grader/classes/taking_in.h"
#include "grader/classes/times/give_times.h"
#include "grader/testing/archives.h"
#include "grader/testing/course_zone.h"

namespace attn::classes {
namespace {

BOOST_AUTO_TEST_SUITE(platform_times)

using Times = std::map<std::string, std::string>;

/// A class in Berlin.
struct ClassInBerlin {
    data::TemporaryDirectory place;
    CourseZone zone;
    ClassFolder folder;
    Gradebook gradebook;

    ClassInBerlin()
        : folder(made_folder(place / "class")),
          gradebook(open_gradebook(folder.gradebook(), Database::Access::write)) {}

    static ClassFolder made_folder(const std::filesystem::path& path) {
        make_class_folder(path, "title = \"T\"\nspeed = false\n[[exercise]]\nassignment = 2\n");
        return ClassFolder::find(path.string());
    }

    TakenIn add(const std::filesystem::path& download) {
        return take_in_download(folder, gradebook, 2, download, std::nullopt);
    }
    TakenIn add(const std::vector<intake::Entry>& entries) {
        return add(place.write("download.zip", intake::zip_of(entries)));
    }
    GivenTimes give(const std::string& text) {
        return give_times(gradebook, 2, read_times_file(place.write("times", text)));
    }
    /// When and by what, by student.
    Times times() {
        std::map<Id, std::string> names;
        for (const Student& each : gradebook.students())
            names[each.id] = each.person.name.empty() ? each.person.key : each.person.name;
        Times found;
        for (const Attempt& attempt : gradebook.attempts(2))
            for (const Id student : attempt.students) found[names[student]] = time_in_words(attempt.time);
        return found;
    }
};

/// The time at which a platform writes its zip, on its own clock.
const std::uint32_t kZipped = intake::dos_time(2026, 11, 23, 9, 12, 4);

intake::Entry file(const std::string& name, std::uint32_t when = kZipped) {
    return {.name = name, .bytes = "// " + name + "\n", .flags = 0x800, .dos_time = when};
}

const std::vector<intake::Entry> kMoodle = {file("Ann Lee_101_assignsubmission_file/self_attention.cpp"),
                                            file("Ben Oz_102_assignsubmission_file/hw/self_attention.cpp"),
                                            file("Cem Ak_103_assignsubmission_file/self_attention.cpp")};
constexpr const char* kWorksheet =
    "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum Grade\",\"Grade can be "
    "changed\",\"Last modified "
    "(submission)\",\"Last modified (grade)\",\"Feedback comments\"\n"
    "\"Participant 101\",\"Ann Lee\",ann@u.edu,\"Submitted for grading\",,100.00,Yes,\"Friday, 20 November "
    "2026, 11:30 "
    "PM\",-,\n"
    "\"Participant 102\",\"Ben Oz\",ben@u.edu,\"Submitted for grading\",,100.00,Yes,\"Saturday, 21 November "
    "2026, 12:40 "
    "AM\",-,\n"
    "\"Participant 103\",\"Cem Ak\",cem@u.edu,\"Submitted for grading\",,100.00,Yes,\"Sunday, 22 November "
    "2026, 9:05 "
    "AM\",-,\n"
    "\"Participant 104\",\"Dia Po\",dia@u.edu,\"No submission\",,100.00,Yes,-,-,\n";

/// zip_writer.php: addFileFromStream() without a time. The names are those of downloader.php.
BOOST_AUTO_TEST_CASE(moodles_zip_has_no_times_and_its_worksheet_has_them) {
    ClassInBerlin test;
    const TakenIn taken = test.add(kMoodle);
    BOOST_TEST(taken.platform == "moodle");
    BOOST_TEST(taken.time_note.find("2026-11-23T09:12:04+01:00") != std::string::npos, taken.time_note);
    for (const auto& [name, time] : test.times()) BOOST_TEST(time == "an unknown time", name);
    BOOST_TEST(test.give(kWorksheet).given == 3);
    const Times expected = {{"Ann Lee", "2026-11-20T23:30:00+01:00 (the platform)"},
                            {"Ben Oz", "2026-11-21T00:40:00+01:00 (the platform)"},
                            {"Cem Ak", "2026-11-22T09:05:00+01:00 (the platform)"}};
    BOOST_TEST((test.times() == expected));
    // The same zip again, also one that was made later, adds nothing and changes no time.
    std::vector<intake::Entry> later = kMoodle;
    for (intake::Entry& each : later) each.dos_time = intake::dos_time(2026, 12, 1, 8, 0);
    for (const auto& again : {kMoodle, later}) BOOST_TEST(test.add(again).added == 0);
    BOOST_TEST((test.times() == expected));
}

/// content_zipper.rb: get_output_stream() without a time, LATE from submission.late?.
BOOST_AUTO_TEST_CASE(canvas_zip_marks_who_is_late_and_its_api_says_when) {
    ClassInBerlin test;
    const TakenIn taken = test.add(
        {file("leeann_501_9001_self_attention.cpp"), file("ozben_LATE_502_9002_self_attention.cpp")});
    BOOST_TEST(taken.platform == "canvas");
    BOOST_TEST(taken.time_note.find("1 of them is marked LATE") != std::string::npos, taken.time_note);
    for (const Attempt& attempt : test.gradebook.attempts(2))
        BOOST_TEST(attempt.time.marked_late == (attempt.label.find("LATE") != std::string::npos));
    // Ben gets more time on Canvas, and the zip is made again.
    intake::Entry ben = file("ozben_LATE_502_9002_self_attention.cpp");
    ben.name = "ozben_502_9002_self_attention.cpp";
    BOOST_TEST(test.add({file("leeann_501_9001_self_attention.cpp"), ben}).added == 0);
    for (const Attempt& attempt : test.gradebook.attempts(2)) BOOST_TEST(!attempt.time.marked_late);
    test.give(R"([{"user_id": 501, "submitted_at": "2026-11-20T22:30:00Z", "late": false},
                  {"user_id": 502, "submitted_at": "2026-11-20T23:40:00Z", "late": true}])");
    BOOST_TEST((test.times() == Times{{"leeann", "2026-11-20T23:30:00+01:00 (the platform)"},
                                      {"ozben", "2026-11-21T00:40:00+01:00 (the platform)"}}));
}

/// Where an exercise is graded anonymously, all hand-ins are.
BOOST_AUTO_TEST_CASE(anonymous_hand_ins_are_found_by_canvas_names_for_them) {
    ClassInBerlin test;
    test.add({file("anon_x7Yz1_9003_self_attention-1.cpp"), file("LATE_anon_k2Lm3_9004_self_attention.cpp")});
    test.give(R"([{"anonymous_id": "x7Yz1", "submitted_at": "2026-11-22T08:05:00Z", "late": true},
                  {"anonymous_id": "k2Lm3", "submitted_at": "2026-11-22T09:05:00Z", "late": true}])");
    BOOST_TEST((test.times() == Times{{"k2Lm3", "2026-11-22T10:05:00+01:00 (the platform)"},
                                      {"x7Yz1", "2026-11-22T09:05:00+01:00 (the platform)"}}));
}

/// The roster's numbers are not those of Canvas, which are in the names of its files.
BOOST_AUTO_TEST_CASE(canvas_numbers_are_found_beside_those_of_a_roster) {
    ClassInBerlin test;
    take_in_roster(
        test.gradebook,
        test.place.write("roster.csv", "name,id,email\nAnn Lee,77001,ann@u.edu\nBen Oz,77002,ben@u.edu\n"));
    test.add({file("leeann_501_9001_a.cpp"), file("ozben_LATE_502_9002_a.cpp")});
    test.give(R"([{"user_id": 501, "submitted_at": "2026-11-20T22:30:00Z"},
                  {"user_id": 502, "submitted_at": "2026-11-20T23:40:00Z"}])");
    BOOST_TEST((test.times() == Times{{"Ann Lee", "2026-11-20T23:30:00+01:00 (the platform)"},
                                      {"Ben Oz", "2026-11-21T00:40:00+01:00 (the platform)"}}));
}

BOOST_AUTO_TEST_CASE(gradescopes_metadata_says_when) {
    ClassInBerlin test;
    const std::string folder = "assignment_5_export/";
    std::vector<intake::Entry> entries = {file(folder + "submission_11/self_attention.cpp"),
                                          file(folder + "submission_12/self_attention.cpp")};
    entries.push_back({.name = folder + "submission_metadata.yml", .bytes = R"(---
submission_11:
  :submitters:
  - :name: Ann Lee
    :sid: '0017'
    :email: ann@u.edu
  :created_at: 2026-11-20 22:30:00.123456000 Z
  :score: 0.0
submission_12:
  :submitters:
  - :name: Ben Oz
    :sid: '0018'
    :email: ben@u.edu
  :created_at: 2026-11-20 15:40:00.123456000 -08:00
)"});
    const TakenIn taken = test.add(entries);
    BOOST_TEST(taken.time_note == "");
    const Times expected = {{"Ann Lee", "2026-11-20T23:30:00+01:00 (the platform)"},
                            {"Ben Oz", "2026-11-21T00:40:00+01:00 (the platform)"}};
    BOOST_TEST((test.times() == expected));
    // The platform's record is stronger than a table, and the difference is told.
    const GivenTimes given =
        test.give("email,time\nann@u.edu,2026-11-21 12:00\nben@u.edu,2026-11-21 00:40\n");
    BOOST_TEST(given.given == 0);
    BOOST_REQUIRE(given.notes.size() == 1);
    BOOST_TEST(
        given.notes[0].find("Ann Lee: the table has 2026-11-21T12:00:00+01:00, but the platform says") == 0,
        given.notes[0]);
    BOOST_TEST((test.times() == expected));
}

/// Zips of Autolab hold what lies on its server; a table of its submissions is the teacher's.
BOOST_AUTO_TEST_CASE(autolabs_files_have_times_in_the_courses_zone_and_a_table_is_stronger) {
    ClassInBerlin test;
    test.add({file("ann@u.edu_1_self_attention.cpp", intake::dos_time(2026, 11, 20, 23, 30)),
              file("ben@u.edu_1_self_attention.cpp", intake::dos_time(2026, 11, 21, 0, 40)),
              file("ben@u.edu_2_self_attention.cpp", intake::dos_time(2026, 11, 22, 9, 5))});
    BOOST_TEST((test.times() == Times{{"ann@u.edu", "2026-11-20T23:30:00+01:00 (the time of its files)"},
                                      {"ben@u.edu", "2026-11-22T09:05:00+01:00 (the time of its files)"}}));
    test.give("email,time\nben@u.edu,2026-11-22 09:06\n");
    BOOST_TEST(test.times()["ben@u.edu"] == "2026-11-22T09:06:00+01:00 (the teacher's table)");
    BOOST_TEST(test.times()["ann@u.edu"] == "2026-11-20T23:30:00+01:00 (the time of its files)");
}

BOOST_AUTO_TEST_CASE(a_commits_time_is_the_students_own_and_a_table_is_stronger) {
    ClassInBerlin test;
    for (const auto& commit :
         Times{{"ann-lee", "2026-11-20T23:30:00+0100"}, {"ben", "2026-11-21T00:40:00+0100"}}) {
        const std::string &login = commit.first, &when = commit.second;
        const std::filesystem::path clone = test.place / ("given/hw2-" + login);
        std::filesystem::create_directories(clone);
        test.place.write("given/hw2-" + login + "/self_attention.cpp", "// " + login + "\n");
        const auto git = [&](std::vector<std::string> words) {
            words.insert(words.begin(),
                         {"git", "-C", clone.string(), "-c", "user.name=a", "-c", "user.email=b"});
            return run_tool(words, {"GIT_AUTHOR_DATE=" + when, "GIT_COMMITTER_DATE=" + when,
                                    "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1"});
        };
        git({"init", "--quiet"});
        git({"add", "."});
        const auto committed = git({"commit", "--quiet", "-m", "done"});
        BOOST_REQUIRE((committed && committed->exit_code == 0));
    }
    test.add(test.place / "given");
    BOOST_TEST(
        (test.times() == Times{{"hw2-ann-lee", "2026-11-20T23:30:00+01:00 (the time of its last commit)"},
                               {"hw2-ben", "2026-11-21T00:40:00+01:00 (the time of its last commit)"}}));
    test.give("github_username,identifier,pushed at\nben,Ben Oz,2026-11-23 10:00\n");
    BOOST_TEST(test.times()["hw2-ben"] == "2026-11-23T10:00:00+01:00 (the teacher's table)");
}

BOOST_AUTO_TEST_CASE(what_a_person_corrects_is_stronger_than_everything_and_can_be_withdrawn) {
    ClassInBerlin test;
    test.add(kMoodle);
    test.give(kWorksheet);
    const Id attempt = test.gradebook.attempts(2).front().number;
    BOOST_TEST(attempt == 1);
    test.gradebook.add_time_correction({attempt, read_moment("2026-11-19 10:00"), "sent by e-mail", "X", 7});
    BOOST_TEST(test.times()["Ann Lee"] == "2026-11-19T10:00:00+01:00 (a correction: sent by e-mail)");
    const GivenTimes again = test.give(kWorksheet);
    BOOST_TEST(again.given == 2);
    BOOST_TEST(test.times()["Ann Lee"] == "2026-11-19T10:00:00+01:00 (a correction: sent by e-mail)");
    BOOST_TEST(test.add(kMoodle).added == 0);
    test.gradebook.add_time_correction({attempt, std::nullopt, "wrong student", "X", 8});
    BOOST_TEST(test.times()["Ann Lee"] == "2026-11-20T23:30:00+01:00 (the platform)");
}

BOOST_AUTO_TEST_CASE(an_attempt_without_a_time_comes_after_those_that_were_there_before_it) {
    ClassInBerlin test;
    test.add(kMoodle);
    test.give(kWorksheet);
    // Ann hands in again; the new zip has no times either.
    std::vector<intake::Entry> second = kMoodle;
    second[0].bytes = "// better\n";
    BOOST_TEST(test.add(second).added == 1);
    BOOST_TEST(test.gradebook.attempts(2).back().number != 4);  // Cem's known time is later than Ann's first
    BOOST_TEST(test.times()["Ann Lee"] == "an unknown time");   // her last
    std::string worksheet = kWorksheet;
    worksheet.replace(worksheet.find("Friday, 20"), 10, "Thursday, 19");
    test.give(worksheet);
    const Attempt last = test.gradebook.attempts(2).front();
    BOOST_TEST(last.number == 4);  // only the last attempt got the time of the worksheet
    BOOST_TEST(time_in_words(last.time) == "2026-11-19T23:30:00+01:00 (the platform)");
}

BOOST_AUTO_TEST_CASE(a_row_that_may_be_two_students_is_nobodys) {
    ClassInBerlin test;
    take_in_roster(
        test.gradebook,
        test.place.write("roster.csv", "name,email,login\nAnn Lee,ann@u.edu,ann\nAnn Lee,lee@u.edu,lee\n"));
    test.add({file("ann@u.edu_1_a.cpp"), file("lee@u.edu_1_a.cpp")});
    const GivenTimes given = test.give("name,time\nAnn Lee,2026-11-20 23:30\n");
    BOOST_TEST(given.given == 0);
    BOOST_TEST(given.notes.back().find("counts for neither: Ann Lee and Ann Lee") != std::string::npos,
               given.notes.back());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::classes
