#include <boost/test/unit_test.hpp>
#include <sys/stat.h>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/base/errors.h"
#include "grader/classes/exports/exports.h"
#include "grader/classes/roster/csv_table.h"

using namespace attn;
using namespace attn::classes;

BOOST_AUTO_TEST_SUITE(grades)

Mark mark_of(double final, bool held = false) {
    Mark mark;
    mark.raw = final;
    mark.out_of = 100;
    mark.final = final;
    mark.explanation = grade_text(final) + " of 100";
    mark.held = held;
    return mark;
}

StudentView student(const Person& person, const std::optional<Mark>& mark,
                    const std::string& participant = "") {
    StudentView one;
    one.person = person;
    one.pseudonym = "quiet-otter-" + person.key;
    if (!participant.empty()) one.platform = "moodle";
    one.platform_id = participant;
    if (mark) {
        one.attempts.emplace_back();
        one.attempts.back().when = 1700000000;
        one.attempts.back().counts = true;
    }
    one.mark = mark;
    return one;
}

ClassView small_class() {
    ClassView view;
    view.title = "Attention, exercise 2";
    view.due = 1699990000;
    view.names = true;
    view.students = {student({"12", "Jane Doe", "jane@u.edu", "jdoe", "S1"}, mark_of(57.204)),
                     student({"13", "=1+1", "jim@u.edu", "", ""}, mark_of(100)),
                     student({"14", "Held, \"Hank\"", "hank@u.edu", "", ""}, mark_of(3, true)),
                     student({"15", "Nora Nothing", "nora@u.edu", "", ""}, std::nullopt),
                     student({"99", "Not There", "", "", ""}, mark_of(7))};
    return view;
}

struct Written {
    std::string text;
    Exported result;
};

Written write(const ClassView& view, const std::string& platform, const std::string& teachers = "",
              const ExportOptions& options = {}) {
    const data::TemporaryDirectory folder;
    std::filesystem::path file;
    if (!teachers.empty()) file = folder.write("teachers.csv", teachers);
    Written written;
    written.result = write_grades(view, platform, file, folder / "out", options);
    written.text = data::read_file(folder / "out");
    struct stat status {};
    stat((folder / "out").c_str(), &status);
    BOOST_TEST((status.st_mode & 0777) == 0600);
    return written;
}

bool says(const Exported& result, const std::string& part) {
    return std::any_of(result.notes.begin(), result.notes.end(),
                       [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

const std::string kWorksheet =
    "\xef\xbb\xbfIdentifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum Grade\",\"Grade can be "
    "changed\",\"Last "
    "modified (submission)\",\"Online text\",\"Last modified (grade)\",\"Feedback comments\"\n"
    "\"Participant 12\",\"Jane Doe\",jane@u.edu,\"Submitted for grading\",,100.00,Yes,\"Monday, 1 "
    "January\",=bad(),-,\n"
    "\"Participant 13\",=1+1,jim@u.edu,\"Submitted for grading\",5.00,100.00,No,-,,-,\"- well done\"\n"
    "\"Participant 14\",\"Held, \"\"Hank\"\"\",hank@u.edu,x,,100.00,Yes,-,,-,\n"
    "\"Participant 15\",\"Nora Nothing\",nora@u.edu,\"No submission\",,100.00,Yes,-,,-,\n";

/// What Moodle's importer takes from a worksheet: the grade by the participant's number. It needs three
/// columns by their exact names, takes the digits after the word "Participant " and reads numbers strictly.
std::map<std::string, double> moodle_takes(const std::string& text, const std::string& word = "Participant ",
                                           const std::array<std::string, 3>& names = {
                                               "Identifier", "Grade", "Last modified (grade)"}) {
    const CsvTable table = parse_csv(text, "moodle");
    std::array<std::size_t, 3> at{};
    for (std::size_t name = 0; name < 3; ++name) {
        while (at[name] < table.rows[0].size() && table.at(0, at[name]) != names[name]) ++at[name];
        BOOST_REQUIRE(at[name] < table.rows[0].size());
    }
    std::map<std::string, double> grades;
    for (std::size_t row = 1; row < table.rows.size(); ++row) {
        BOOST_TEST(table.rows[row].size() == table.rows[0].size());
        BOOST_REQUIRE(table.at(row, at[0]).starts_with(word));
        const std::string grade(table.at(row, at[1]));
        if (grade.empty()) continue;
        char* end = nullptr;
        std::string point = grade;
        std::replace(point.begin(), point.end(), ',', '.');
        const double value = std::strtod(point.c_str(), &end);
        BOOST_TEST(*end == '\0');
        BOOST_TEST((value >= 0 && value <= 100));
        grades[std::string(table.at(row, at[0]).substr(word.size()))] = value;
    }
    return grades;
}

BOOST_AUTO_TEST_CASE(moodles_worksheet_gets_grades_and_nothing_else) {
    const Written out = write(small_class(), "moodle", kWorksheet);
    BOOST_TEST((moodle_takes(out.text) == std::map<std::string, double>{{"12", 57.2}, {"13", 5}}));
    BOOST_TEST(out.result.written == 1);
    std::string expected = kWorksheet;
    expected.replace(expected.find(",,100.00"), 2, ",57.2,");
    expected.replace(expected.find("=bad()"), 6, "'=bad()");
    expected.replace(expected.find(",=1+1"), 2, ",'=");
    BOOST_TEST(out.text == expected);
    BOOST_TEST(says(out.result, "Held, and not in the file: Held, \"Hank\"."));
    BOOST_TEST(says(out.result, "locked in Moodle, and kept: =1+1."));
    BOOST_TEST(says(out.result, "Not in the teacher's file: Not There."));
}

BOOST_AUTO_TEST_CASE(moodles_worksheet_may_be_in_any_language) {
    const std::string german =
        "Kennung;Vollständiger Name;E-Mail-Adresse;Status;Bewertung;Bestwertung;Bewertung kann geändert "
        "werden;Zuletzt "
        "geändert (Abgabe);Zuletzt geändert (Bewertung);Feedback als Kommentar\r\n"
        "Teilnehmer/in 12;Jane Doe;jane@u.edu;Zur Bewertung abgegeben;;100,00;Ja;-;-;\r\n"
        "Teilnehmer/in 13;=1+1;jim@u.edu;Zur Bewertung abgegeben;;100,00;Nein;-;-;\r\n";
    const Written out = write(small_class(), "moodle", german);
    BOOST_TEST(
        (moodle_takes(out.text, "Teilnehmer/in ", {"Kennung", "Bewertung", "Zuletzt geändert (Bewertung)"}) ==
         std::map<std::string, double>{{"12", 57.2}}));
    BOOST_TEST(out.text.find(";57,2;100,00;") != std::string::npos);
    BOOST_TEST(says(out.result, "locked"));
}

BOOST_AUTO_TEST_CASE(the_participant_of_a_download_finds_a_row_without_names) {
    ClassView view = small_class();
    view.students = {student({"j77", "Jane Doe", "jane@u.edu", "", ""}, mark_of(8), "41")};
    const Written out =
        write(view, "moodle",
              "Identifier,Status,Grade,Maximum Grade,Grade can be changed,Last modified (submission),Last "
              "modified (grade)\nParticipant 40,x,,100,Yes,-,-\nParticipant 41,x,,100,Yes,-,-\n");
    BOOST_TEST((moodle_takes(out.text) == std::map<std::string, double>{{"41", 8}}));
}

BOOST_AUTO_TEST_CASE(a_row_is_given_to_whom_the_download_names) {
    ClassView view = small_class();
    // The first is found by the name only, and the second is the one whose number the row has.
    view.students = {student({"", "Jane Doe", "", "", ""}, mark_of(3)),
                     student({"77", "Jane Doe", "jd@u.edu", "", ""}, mark_of(8), "12"),
                     student({"", "Nora Nothing", "", "", ""}, mark_of(4)),
                     student({"", "Nothing, Nora", "", "", ""}, mark_of(5))};
    const Written out = write(view, "moodle", kWorksheet);
    BOOST_TEST(moodle_takes(out.text)["12"] == 8);
    BOOST_TEST(moodle_takes(out.text).count("15") == 0U);
    BOOST_TEST(says(out.result, "Not in the teacher's file: Jane Doe."));
    BOOST_TEST(says(out.result, "cannot be told which row is theirs: Nora Nothing, Nothing, Nora."));
}

BOOST_AUTO_TEST_CASE(a_place_that_cannot_be_written_is_the_teachers_to_mend) {
    const data::TemporaryDirectory folder;
    BOOST_CHECK_THROW(write_grades(small_class(), "csv", "", folder / "none/grades.csv"), UserError);
}

BOOST_AUTO_TEST_CASE(another_maximum_is_refused_or_converted) {
    std::string twenty = kWorksheet;
    for (std::size_t at = twenty.find("100.00"); at != std::string::npos; at = twenty.find("100.00", at + 1))
        twenty.replace(at, 6, "020.00");
    BOOST_CHECK_THROW(write(small_class(), "moodle", twenty), UserError);
    const Written out =
        write(small_class(), "moodle", twenty, {.anonymous = false, .scale = true, .column = ""});
    BOOST_TEST(moodle_takes(out.text)["12"] == 11.44);
}

BOOST_AUTO_TEST_CASE(other_worksheets_are_refused) {
    for (const std::string text :
         {"Identifier,Full name\nParticipant 1,A\n", "name,id\na,1\n", "Identifier\n",
          "Identifier,Grade,Maximum Grade,Grade can be changed\nParticipant 1,,100,Yes\n"})
        BOOST_CHECK_THROW(write(small_class(), "moodle", text), UserError);
    BOOST_CHECK_THROW(write(small_class(), "moodle"), UserError);
    const data::TemporaryDirectory folder;
    const auto file = folder.write("sheet.csv", kWorksheet);
    BOOST_CHECK_THROW(write_grades(small_class(), "moodle", file, file), UserError);
}

const std::string kGradebook =
    "Student,ID,SIS User ID,SIS Login ID,Section,\"Essay, long (30)\",Attention 2 (31),Current Score,Final "
    "Score\n"
    ",,,,,Manual Posting,Manual Posting,,\n"
    "    Points Possible,,,,,10,100,(read only),(read only)\n"
    "\"Doe, Jane\",12,s12,jdoe,S1,9,,90,90\n"
    "=1+1,13,s13,jim,S1,8,EX,80,80\n"
    "\"Hank, Held\",14,s14,hank,S1,7,55.5,70,70\n"
    "\"Nothing, Nora\",15,s15,nora,S1,,,,\n"
    "\"Student, Test\",77,,abc,S1,,,,\n";

/// What Canvas' importer takes from a gradebook, by user and assignment. A header or a student that it does
/// not know is an error here, because Canvas would make a new one.
std::map<std::string, std::string> canvas_takes(const std::string& text,
                                                const std::set<std::string>& assignments,
                                                const std::set<std::string>& users) {
    std::istringstream lines(text);
    std::map<char, std::set<std::size_t>> widths;
    std::string line;
    for (int k = 0; k < 3 && std::getline(lines, line); ++k)
        for (const char separator : {',', ';'})
            widths[separator].insert(parse_csv(line + "\n", "canvas").rows[0].size());
    const CsvTable table = parse_csv(text, "canvas");
    BOOST_TEST(widths[table.separator].size() == 1);  // Canvas guesses the separator from three lines
    BOOST_REQUIRE(table.rows.at(0).size() > 3);
    BOOST_TEST(table.at(0, 0).find("Student") != std::string_view::npos);
    BOOST_TEST(table.at(0, 1).find("ID") != std::string_view::npos);
    std::size_t section = 0;
    while (section < table.rows[0].size() && table.at(0, section) != "Section") ++section;
    BOOST_REQUIRE(section + 1 < table.rows[0].size());
    std::map<std::string, std::string> grades;
    for (std::size_t row = 1; row < table.rows.size(); ++row) {
        BOOST_TEST(table.rows[row].size() == table.rows[0].size());
        if (table.at(row, 0).find("Points Possible") != std::string_view::npos) continue;
        bool posting = true;
        for (const CsvCell& cell : table.rows[row])
            posting &= cell.text.find_first_not_of(' ') == std::string::npos || cell.text == "Manual Posting";
        if (posting) continue;
        BOOST_TEST(users.count(std::string(table.at(row, 1))) == 1);
        for (std::size_t k = section + 1; k < table.rows[0].size(); ++k) {
            BOOST_TEST(assignments.count(std::string(table.at(0, k))) == 1,
                       "a new assignment " << table.at(0, k));
            grades[std::string(table.at(row, 1)) + " " + std::string(table.at(0, k))] = table.at(row, k);
        }
    }
    return grades;
}

BOOST_AUTO_TEST_CASE(canvas_gradebook_gets_one_column) {
    const Written out = write(small_class(), "canvas", kGradebook,
                              {.anonymous = false, .scale = false, .column = "Attention 2"});
    const auto grades = canvas_takes(out.text, {"Attention 2 (31)"}, {"12", "13", "14", "15", "77"});
    BOOST_TEST((grades == std::map<std::string, std::string>{{"12 Attention 2 (31)", "57.2"},
                                                             {"13 Attention 2 (31)", "EX"},
                                                             {"14 Attention 2 (31)", "55.5"},
                                                             {"15 Attention 2 (31)", ""},
                                                             {"77 Attention 2 (31)", ""}}));
    BOOST_TEST(out.text.find("\n'=1+1,13") != std::string::npos);
    BOOST_TEST(out.text.find("    Points Possible,,,,,100") != std::string::npos);
    BOOST_TEST(says(out.result, "Excused in Canvas, and kept: =1+1."));
    BOOST_TEST(out.result.written == 1);
}

BOOST_AUTO_TEST_CASE(canvas_files_with_semicolons_keep_their_commas) {
    std::string text = kGradebook;
    text.erase(text.find("\"Essay, long (30)\","), 19);
    text = "Student;ID;Section;A 2 (31)\n    Points Possible;;;100,00\n\"Doe, Jane\";12;S1;\n";
    const Written out = write(small_class(), "canvas", text);
    BOOST_TEST(canvas_takes(out.text, {"A 2 (31)"}, {"12"})["12 A 2 (31)"] == "57,2");
}

BOOST_AUTO_TEST_CASE(canvas_must_not_make_assignments) {
    const auto message = [](const std::string& column, const std::string& text) {
        try {
            write(small_class(), "canvas", text, {.anonymous = false, .scale = false, .column = column});
        } catch (const UserError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    BOOST_TEST(message("Attention 3", kGradebook).find("of which Canvas would make a new assignment") !=
               std::string::npos);
    BOOST_TEST(message("", kGradebook).find("which of its 2 columns gets the marks?") != std::string::npos);
    BOOST_TEST(message("Essay, long", kGradebook).find("its maximum is 10 points") != std::string::npos);
    BOOST_TEST(message("", kWorksheet).find("expected Canvas' gradebook") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(autolab_gets_rows_that_it_takes) {
    ClassView view = small_class();
    view.students[1].person.email = "=1+1@u.edu";
    view.students.back().person.email = "there@u.edu";
    view.students.back().on_roster = false;
    const Written out = write(view, "autolab");
    BOOST_TEST(out.text == "jane@u.edu,57.2\n");
    BOOST_TEST(says(out.result, "unknown address: =1+1."));
    BOOST_TEST(says(out.result, "unknown address: Not There."));
    BOOST_TEST(says(out.result, "Held, and not in the file"));
}

BOOST_AUTO_TEST_CASE(tables_have_no_formula_and_no_held_mark) {
    for (const std::string platform : {"csv", "gradescope"}) {
        const Written out = write(small_class(), platform);
        const CsvTable table = parse_csv(out.text, platform);
        BOOST_TEST(table.rows.size() == 5);  // the header and all but Hank
        for (const auto& row : table.rows) {
            BOOST_TEST(row.size() == table.rows[0].size());
            for (const CsvCell& cell : row) BOOST_TEST(without_formula(cell.text) == cell.text);
        }
        BOOST_TEST(out.text.find("Hank") == std::string::npos);
        BOOST_TEST(out.text.find("57.2") != std::string::npos);
        BOOST_TEST(says(out.result, "Hank"));
    }
    BOOST_TEST(write(small_class(), "gradescope").text.find("02:46:40") !=
               std::string::npos);  // 10000 s late
}

BOOST_AUTO_TEST_CASE(anonymous_exports_name_nobody) {
    for (const std::string platform : {"csv", "json"}) {
        const Written out =
            write(small_class(), platform, "", {.anonymous = true, .scale = false, .column = ""});
        for (const char* part : {"Jane", "Doe", "u.edu", "jdoe", "S1", "1700000000", "2023-11"})
            BOOST_TEST(out.text.find(part) == std::string::npos, platform << " has " << part);
        BOOST_TEST(out.text.find("quiet-otter-12") != std::string::npos);
        BOOST_TEST(says(out.result, "quiet-otter-14"));
        BOOST_TEST(!says(out.result, "Hank"));
    }
    BOOST_CHECK_THROW(
        write(small_class(), "moodle", kWorksheet, {.anonymous = true, .scale = false, .column = ""}),
        UserError);
    BOOST_CHECK_THROW(write(small_class(), "excel"), UserError);
}

BOOST_AUTO_TEST_CASE(grades_are_rounded_to_two_decimals) {
    BOOST_TEST(grade_text(57.204) == "57.2");
    BOOST_TEST(grade_text(60) == "60");
    BOOST_TEST(grade_text(-0.001) == "0");
    BOOST_TEST(grade_text(1.005 + 1e-9, ',') == "1,01");
    BOOST_TEST(number_in("100,00").value() == 100);
    BOOST_TEST(!number_in("Yes").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
