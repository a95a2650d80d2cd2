#include <boost/test/unit_test.hpp>

#include "datasets/files/temporary_directory.h"
#include "grader/base/errors.h"
#include "grader/classes/times/give_times.h"
#include "grader/testing/course_zone.h"

namespace attn::classes {
namespace {

BOOST_AUTO_TEST_SUITE(times_file)

TimesFile times_in(const std::string& text) {
    const data::TemporaryDirectory folder;
    return read_times_file(folder.write("times", text));
}

/// "Anna: 2026-11-20T23:30:00+01:00; Ben: -".
std::string summary_of(const TimesFile& times) {
    std::string text;
    for (const TimesRow& row : times.rows)
        text += (text.empty() ? "" : "; ") + (row.person.name.empty() ? row.person.key : row.person.name) +
                ": " + (row.when ? moment_text(*row.when) : "-");
    return text;
}

constexpr const char* kAnnaInTime = "Anna: 2026-11-20T23:30:00+01:00; Ben: -";

/// The columns of Moodle's gradingtable.php, as it writes them for a download.
BOOST_AUTO_TEST_CASE(moodles_worksheet_says_when_a_submission_was_modified) {
    const CourseZone zone;
    const std::string english =
        "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum Grade\",\"Grade can be changed\","
        "\"Last modified (submission)\",\"Online text\",\"Last modified (grade)\",\"Feedback comments\"\n"
        "\"Participant 101\",Anna,anna@u.edu,\"Submitted for grading\",,100.00,Yes,\"Friday, 20 November "
        "2026, 11:30 "
        "PM\",,\"Monday, 23 November 2026, 9:00 AM\",\n"
        "\"Participant 102\",Ben,ben@u.edu,\"No submission\",,100.00,Yes,-,,\"Monday, 23 November 2026, 9:01 "
        "AM\",\n";
    const TimesFile times = times_in("\xef\xbb\xbf" + english);
    BOOST_TEST((times.source == TimeSource::platform));
    BOOST_TEST(times.name == "Moodle's worksheet");
    BOOST_TEST(summary_of(times) == kAnnaInTime);
    BOOST_TEST(times.rows[0].person.key == "101");
    // In German, with semicolons, and an extension that the status mentions.
    BOOST_TEST(
        summary_of(times_in(
            "ID;\"Vollständiger Name\";E-Mail-Adresse;Status;Bewertung;Bestwertung;\"Bewertung kann geändert "
            "werden\";\"Zuletzt geändert (Abgabe)\";\"Zuletzt geändert (Bewertung)\";\"Feedback als "
            "Kommentar\"\n"
            "\"Teilnehmer/in 101\";Anna;anna@u.edu;\"Zur Bewertung abgegeben - Verlängerung gewährt bis: "
            "Freitag, 27. "
            "November 2026, 23:59\";;100,00;Ja;\"Freitag, 20. November 2026, 23:30\";\"Montag, 23. November "
            "2026, "
            "09:00\";\n"
            "\"Teilnehmer/in 102\";Ben;ben@u.edu;\"Keine Abgabe\";;100,00;Ja;-;-;\n")) == kAnnaInTime);
    // Nobody has handed in, and grades have times: these are not taken for the others.
    BOOST_TEST(
        summary_of(times_in("Identifier,Full name,Status,Grade,Maximum Grade,Grade can be changed,Abgabe,"
                            "Bewertung\nParticipant 1,Anna,x,,100.00,Yes,-,\"20 November 2026, 23:30\"\n")) ==
        "Anna: -");
}

BOOST_AUTO_TEST_CASE(canvas_api_is_read) {
    const CourseZone zone;
    const TimesFile times = times_in(
        R"([{"id": 9, "user_id": 501, "submitted_at": "2026-11-20T22:30:00Z", "late": false, "attempt": 1},
            {"id": 8, "user_id": 502, "submitted_at": null, "late": false, "missing": true},
            {"id": 7, "anonymous_id": "x7Yz1", "submitted_at": "2026-11-20T22:30:00Z"}])");
    BOOST_TEST((times.source == TimeSource::platform));
    BOOST_TEST(summary_of(times) ==
               "501: 2026-11-20T23:30:00+01:00; 502: -; x7Yz1: 2026-11-20T23:30:00+01:00");
}

BOOST_AUTO_TEST_CASE(gradescopes_and_teachers_tables_are_read) {
    const CourseZone zone;
    const TimesFile gradescope = times_in(
        "First Name,Last Name,SID,Email,Sections,Total Score,Max Points,Status,Submission ID,Submission "
        "Time,Lateness "
        "(H:M:S)\nAnna,Poe,007,anna@u.edu,A,1.0,2.0,Graded,77,2026-11-20 23:30:00 +0100,00:00:00\n");
    BOOST_TEST(summary_of(gradescope) == "Anna Poe: 2026-11-20T23:30:00+01:00");
    BOOST_TEST((gradescope.source == TimeSource::platform));
    for (const char* table :
         {"name,time\nAnna,2026-11-20 23:30\nBen,\n", "name;when\nAnna;20.11.2026 23:30\nBen;-\n",
          "name,email,submission_timestamp\nAnna,a@u,2026-11-20 22:30:00 UTC\nBen,b@u,\n",
          "name,the moment\nAnna,11/20/2026 11:30 PM\nBen,-\n"}) {
        const TimesFile times = times_in(table);
        BOOST_TEST(summary_of(times) == kAnnaInTime, table);
        BOOST_TEST((times.source == TimeSource::table));
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_record_of_times_is_refused_whole) {
    const CourseZone zone;
    const std::vector<std::pair<std::string, const char*>> refused = {
        {"", "is empty"},
        {"name,email\nAnna,anna@u.edu\n", "no column of times"},
        {"name,time\nAnna,2026-11-20 23:30\nBen,tomorrow\n", "row 3, column \"time\": 'tomorrow'"},
        {"name,time\nAnna,05/11/2026 23:30\nBen,06/11/2026 9:00\n", "cannot be told apart"},
        {"{\"errors\": [{\"message\": \"Invalid access token.\"}]}", "no list of Canvas' submissions"},
        {"[{\"user_id\": 5}]", "element 1 has no user_id and submitted_at"},
        {"[5]", "element 1 has no"},
        {"[{\"user_id\": 5, \"submitted_at\": \"soon\"}]", "'soon' is not a moment"},
        {"[", "no list"}};
    for (const auto& [text, why] : refused) {
        std::string said;
        try {
            times_in(text);
        } catch (const UserError& error) {
            said = error.what();
        }
        BOOST_TEST(said.find(why) != std::string::npos, text << "\nsays: " << said);
    }
    BOOST_CHECK_THROW(read_times_file("/missing"), UserError);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::classes
