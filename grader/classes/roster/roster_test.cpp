#include "grader/classes/roster/roster.h"

#include <boost/test/unit_test.hpp>

#include "datasets/files/temporary_directory.h"
#include "grader/base/errors.h"
#include "grader/classes/roster/csv_table.h"
#include "grader/classes/roster/names.h"

using namespace attn;
using namespace attn::classes;

BOOST_AUTO_TEST_SUITE(roster)

Roster read_text(const std::string& text) {
    const data::TemporaryDirectory folder;
    return read_roster(folder.write("roster.csv", text));
}

std::string utf16(const std::string& ascii, bool little, bool mark) {
    std::string text = !mark ? "" : little ? "\xff\xfe" : "\xfe\xff";
    for (const char c : ascii) text += little ? std::string{c, '\0'} : std::string{'\0', c};
    return text;
}

std::string all_of(const Person& person) {
    return person.key + "|" + person.name + "|" + person.email + "|" + person.login + "|" + person.section;
}

BOOST_AUTO_TEST_CASE(every_platforms_roster_is_read) {
    const std::vector<std::array<std::string, 3>> cases = {
        {"moodle",
         "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Last modified "
         "(submission),Last modified (grade),Feedback comments\nParticipant 12,Jane "
         "Doe,jane@u.edu,x,,100,Yes,-,-,\n",
         "12|Jane Doe|jane@u.edu||"},
        {"moodle", "First name,Last name,ID number,Email address,Groups\nJane,Doe,0077,jane@u.edu,A\n",
         "|Jane Doe|jane@u.edu|0077|A"},
        {"moodle",
         "Kennung,Vollständiger Name,E-Mail-Adresse,Status,Bewertung\nTeilnehmer/in 12,Jane "
         "Doe,jane@u.edu,x,\n",
         "12|Jane Doe|jane@u.edu||"},
        {"canvas",
         "Student,ID,SIS User ID,SIS Login ID,Section,HW 2 (31)\n    Points Possible,,,,,100\n\"Doe, "
         "Jane\",77,s77,jdoe,S1,\n",
         "77|Doe, Jane||jdoe|S1"},
        {"gradescope", "First Name,Last Name,SID,Email,Sections\nJane,Doe,0077,jane@u.edu,S1\n",
         "0077|Jane Doe|jane@u.edu||S1"},
        {"autolab", "F26,jane@u.edu,Doe,Jane,SCS,CS,3,L,10601,1,B\n", "|Jane Doe|jane@u.edu||B"},
        {"github", "identifier,github_username,github_id,name\nj77,jane-d,99,Jane Doe\n",
         "jane-d|Jane Doe||jane-d|"},
        {"plain", "name;email;id\nJane Doe;jane@u.edu;77\n", "77|Jane Doe|jane@u.edu||"},
        {"plain", "Jane Doe,jane@u.edu,77\n", "77|Jane Doe|jane@u.edu||"},
        {"plain", "login,time\nstudent12,2026-11-20 23:30\n", "|||student12|"},
    };
    for (const auto& [platform, text, person] : cases) {
        const Roster got = read_text(text);
        BOOST_TEST(got.platform == platform, text);
        BOOST_REQUIRE(got.people.size() == 1);
        BOOST_TEST(all_of(got.people.front()) == person, text << " gives " << all_of(got.people.front()));
    }
}

BOOST_AUTO_TEST_CASE(encodings_and_separators_are_recognised) {
    const std::string plain = "name\temail\tid\r\nJane Doe\tjane@u.edu\t77\r\n";
    for (const std::string& text :
         {plain, "\xef\xbb\xbf" + plain, utf16(plain, true, true), utf16(plain, false, true),
          utf16(plain, true, false), "sep=\t\r\n" + plain}) {
        const Roster got = read_text(text);
        BOOST_REQUIRE(got.people.size() == 1);
        BOOST_TEST(all_of(got.people.front()) == "77|Jane Doe|jane@u.edu||");
    }
    const Roster latin = read_text("name,id\nJ\xf6rg,5\n");
    BOOST_TEST(latin.people.front().name == "Jörg");
    BOOST_TEST(latin.notes.front().find("Windows-1252") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(hostile_names_stay_names) {
    const Roster got = read_text(
        "name,email,id\n\"Doe, "
        "\"\"J\"\"\nJane\",a@u.edu,1\n=1+1,b@u.edu,2\n\u202eevil\u202c,c@u.edu,3\n,,\nTwin "
        "One,d@u.edu,4\nTwin One,e@u.edu,5\nAgain,a@u.edu,1\nNo Mail,not an address,6\n");
    BOOST_REQUIRE(got.people.size() == 6);
    BOOST_TEST(got.people[0].name == "Doe, \"J\" Jane");
    BOOST_TEST(got.people[1].name == "=1+1");
    BOOST_TEST(got.people[2].name == "evil");
    BOOST_TEST(got.people[5].email == "");
    std::string notes;
    for (const std::string& note : got.notes) notes += note + "\n";
    for (const char* part :
         {"Row 5 names nobody", "1 rows name a person", "2 x \"Twin One\"", "no e-mail address"})
        BOOST_TEST((notes.find(part) != std::string::npos), part << " is not in " << notes);
}

BOOST_AUTO_TEST_CASE(long_cells_are_read) {
    const std::string cell(3000000, '1');
    BOOST_TEST(
        read_text("Identifier,Full name\nParticipant 1,Jane\n" + cell + "," + cell + "\n").people.size() ==
        2);
}

BOOST_AUTO_TEST_CASE(other_files_are_refused) {
    for (const char* text : {"", "a,b\n1,2\n", "name,id\n\"open,1\n"})
        BOOST_CHECK_THROW(read_text(text), UserError);
    BOOST_CHECK_THROW(read_roster("/nowhere/roster.csv"), UserError);
}

BOOST_AUTO_TEST_CASE(tables_are_written_as_they_were_read) {
    for (const std::string text :
         {"\xef\xbb\xbf\"a\";b;c\r\n\"x;\"\"y\"\"\";;\"\"\r\n", "a,b\n\"two\nlines\",2\n"})
        BOOST_TEST(csv_text(parse_csv(text, "test")) == text);
}

BOOST_AUTO_TEST_CASE(formulas_are_neutralised) {
    for (const char* text : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\uff1d1"})
        BOOST_TEST(without_formula(text) == std::string("'") + text);
    for (const char* text : {"", "-", "Jane", "1=1", "a@b.c"}) BOOST_TEST(without_formula(text) == text);
}

BOOST_AUTO_TEST_CASE(names_are_compared_without_accents_and_order) {
    BOOST_TEST(name_words("Müller, Jörg") == "jorg muller");
    BOOST_TEST(name_words("jorg  MULLER") == "jorg muller");
    BOOST_TEST(name_words("Mu\u0308ller Jörg") == "jorg muller");  // as macOS spells it
    BOOST_TEST(name_words("O\u2019Brien") == name_words("O'Brien"));
    BOOST_TEST(name_words("\u202eИВАНОВ\u202c Пётр") == name_words("Пётр Иванов"));
    BOOST_TEST(name_letters("Doe, Jane") == "doejane");
    BOOST_TEST(tidy_name(" a\n\u200fb ") == "a b");
}

BOOST_AUTO_TEST_CASE(those_who_are_no_students_are_left_out) {
    const auto names = [](const std::string& text) {
        std::string all;
        for (const Person& person : read_text(text).people) all += person.name + "|";
        return all;
    };
    const std::string hash = "3f786850e387550fdab836ed7e6dc881de23001b";
    BOOST_TEST(names("Student,ID,SIS Login ID,Section\n\"Doe, Jane\",77,jdoe,S\n\"Student, Test\",99," +
                     hash + ",S\n") == "Doe, Jane|");
    BOOST_TEST(names("LastName,FirstName,ID,SIS Login ID,Section\nDoe,Jane,77,jdoe,S\nStudent,Test,99," +
                     hash + ",S\n") == "Jane Doe|");
    // Somebody may be called so.
    BOOST_TEST(names("Student,ID,SIS Login ID,Section\n\"Student, Test\",99,tstudent,S\n") ==
               "Student, Test|");
    BOOST_TEST(names("name,email\nTest Student,t@u.edu\n") == "Test Student|");
    BOOST_TEST(names("Name,SID,Email,Role\nA,1,a@u.edu,Student\nB,2,b@u.edu,Instructor\nC,3,c@u.edu,TA\n"
                     "D,4,d@u.edu,Reader\nE,5,e@u.edu,\n") == "A|E|");
    BOOST_TEST(names("First name,Last name,Email address,Roles\nA,B,a@u.edu,\"Student, Tutor\"\nC,D,c@u.edu,"
                     "Non-editing teacher\nE,F,e@u.edu,Teilnehmer/in\nG,H,g@u.edu,Trainer/in\n") ==
               "A B|E F|");
    const std::vector<std::string> notes{"Left out, because they are no students: B."};
    BOOST_TEST(read_text("Name,Email,Role\nA,a@u.edu,Student\nB,b@u.edu,TA\n").notes == notes,
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
