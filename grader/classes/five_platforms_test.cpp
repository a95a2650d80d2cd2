// Downloads of five platforms, named as the platforms' source code names them: each student gets their own mark in their own
// row, also where hand-ins, names and accounts imitate those of others.

#include <map>
#include <string>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "grader/classes/roster/csv_table.h"
#include "grader/testing/platform_names.h"
#include "grader/testing/run_grader.h"
#include "grader/testing/test_class.h"

namespace attn::classes {
namespace {

BOOST_AUTO_TEST_SUITE(five_platforms, *boost::unit_test::label("long"))

using cli::contains;
using intake::Entry;
using intake::zip_of;
using testing::TestClass;

/// Four different marks of 85.
const std::string kAll = "85", kNoSoftmax = "65";
const std::string& all_right() {
    static const std::string kZip = TestClass::zip_of_work({}, "one");
    return kZip;
}
const std::string& no_softmax() {
    static const std::string kZip = TestClass::zip_of_work({"softmax"}, "two");
    return kZip;
}

/// The cells of one column by those of another.
std::map<std::string, std::string> column(const std::string& csv, const std::string& of,
                                          const std::string& by) {
    const CsvTable table = parse_csv(csv, "export");
    std::size_t value = 0, key = 0;
    for (std::size_t k = 0; k < table.columns(); ++k) {
        if (table.at(0, k) == of) value = k;
        if (table.at(0, k) == by) key = k;
    }
    std::map<std::string, std::string> cells;
    for (std::size_t row = 1; row < table.rows.size(); ++row)
        cells[std::string(table.at(row, key))] = table.at(row, value);
    return cells;
}
using Cells = std::map<std::string, std::string>;

const std::string kWorksheet =
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Last modified "
    "(submission),Last modified (grade)\n"
    "Participant 123,Zed Good,zed@u.edu,x,,85.00,Yes,-,-\nParticipant 456,Ben "
    "Good,ben@u.edu,x,,85.00,Yes,-,-\n"
    "Participant 12,Alex Kim,a.kim@u.edu,x,,85.00,Yes,-,-\nParticipant 13,Alex "
    "Kim,alex@u.edu,x,,85.00,Yes,-,-\n"
    "Participant 14,J\u00f6rg O'Neill-Weber,jo@u.edu,x,,85.00,Yes,-,-\n"
    "Participant 15,Nobody Here,no@u.edu,x,,85.00,Yes,-,-\n";

Cells moodle_grades(const TestClass& test) {
    const std::string sheet = test.write("worksheet.csv", kWorksheet).string();
    return column(test.exported({"--to", "moodle", "--table", sheet}), "Grade", "Identifier");
}

const Cells kMoodleGrades{{"Participant 123", kNoSoftmax}, {"Participant 456", kAll},
                          {"Participant 12", kAll},        {"Participant 13", kNoSoftmax},
                          {"Participant 14", kAll},        {"Participant 15", ""}};

BOOST_AUTO_TEST_CASE(moodle) {
    for (const bool folders : {true, false}) {
        const TestClass test;
        const auto entry = [folders](const char* name, int id, const std::string& file) {
            return testing::moodle_entry(name, id, file, folders);
        };
        // Zed imitates Ben's flat file, three times: with a note, with a source, and with a whole hand-in.
        const std::string imitated = testing::moodle_entry("Ben Good", 456, "", false);
        std::vector<Entry> entries{{entry("Zed Good", 123, imitated + "notes.h"), "// Zed's"},
                                   {entry("Zed Good", 123, imitated + "self_attention.cpp"), "// Zed's"},
                                   {entry("Zed Good", 123, imitated + "work.zip"), "no zip"},
                                   {entry("Ben Good", 456, "work.zip"), all_right()},
                                   {entry("Alex Kim", 12, "work.zip"), all_right()},
                                   {entry("Alex Kim", 13, "work.zip"), no_softmax()},
                                   {entry("J\u00f6rg O'Neill-Weber", 14, "work.zip"), all_right()}};
        for (const auto& [name, bytes] : TestClass::files_of_work({"softmax"}, "zed"))
            entries.push_back({entry("Zed Good", 123, name), bytes});
        test.write("all.zip", zip_of(entries));
        test.run({"add", "--roster", test.write("list.csv", kWorksheet).string()});
        const std::string added = test.run({"add", test.file("all.zip").string()});
        BOOST_TEST(contains(added, "5 hand-ins, 5 of them new"), added);
        BOOST_TEST((moodle_grades(test) == kMoodleGrades));
        const std::string status = test.run({"status"});
        BOOST_TEST(contains(status, "6 students, 5 attempts, 5 graded"), status);
        BOOST_TEST(contains(status, "handed nothing in: 1\n    Nobody Here"), status);
    }
}

/// Two people of one name are two, whatever knew them first, and a hand-in that may be of both is neither's.
BOOST_AUTO_TEST_CASE(moodles_namesakes) {
    const std::string
        header = "Identifier,Full name,Email address,Status\n",
        sheet = header + "Participant 12,Alex Kim,a@u.edu,x\nParticipant 13,Alex Kim,b@u.edu,x\n",
        no_addresses = "Identifier,Full name,Status\nParticipant 12,Alex Kim,x\nParticipant 13,Alex Kim,x\n";
    for (const std::string& list :
         {std::string("First name,Last name,Email address\nAlex,Kim,a@u.edu\nAlex,Kim,b@u.edu\n"),
          std::string("First name,Last name,ID number\nAlex,Kim,0012\nAlex,Kim,0007\n"),
          std::string("First name,Last name,Groups\nAlex,Kim,A\nAlex,Kim,A\n"),
          std::string("Full name\nAlex Kim\nAlex Kim\n")})
        for (const std::string& second : {sheet, no_addresses}) {
            const TestClass test;
            test.run({"add", "--roster", test.write("list.csv", list).string()});
            test.run({"add", "--roster", test.write("sheet.csv", second).string()});
            test.write("all.zip",
                       zip_of({{testing::moodle_entry("Alex Kim", 13, "work.zip", true), all_right()}}));
            test.run({"add", test.file("all.zip").string()});
            const std::string status = test.run({"status"});
            BOOST_TEST(contains(status, "Assignment 2: 2 students, 1 attempts"), list << second << status);
        }
    // Nothing tells the two on this roster apart, so the number is of neither. With the worksheet it is.
    const TestClass test;
    test.run(
        {"add", "--roster",
         test.write("list.csv", "Full name,Email address\nAlex Kim,a@u.edu\nAlex Kim,b@u.edu\n").string()});
    test.write("all.zip", zip_of({{testing::moodle_entry("Alex Kim", 13, "work.zip", true), all_right()}}));
    test.run({"add", test.file("all.zip").string()});
    const std::string unclear = test.run({"status"});
    BOOST_TEST(contains(unclear, "cannot be graded: 1\n    Alex Kim_13_assignsubmission_file"), unclear);
    BOOST_TEST(contains(unclear, "could be any of 2 people on the roster"), unclear);
    BOOST_TEST(contains(unclear, "handed nothing in: 2"), unclear);
    test.run({"add", "--roster", test.write("sheet.csv", sheet).string(), test.file("all.zip").string()});
    test.run({"grade"});
    const std::string clear = test.run({"status"});
    BOOST_TEST(contains(clear, "2 students, 1 attempts, 1 graded"), clear);
    BOOST_TEST(contains(test.run({"show", "b@u.edu"}), "mark: 85 of 85"));
}

const std::string kGradebook =
    "Student,ID,SIS User ID,SIS Login ID,Section,Attention (31)\n    Points Possible,,,,,85\n"
    "\"Good, Zed\",123,s1,zed,S,\n\"Good, Ben\",456,s2,ben,S,\n\"von_der_Aa, Jo\",14,s3,jo,S,\n"
    "\"Doe 2, Jane\",7,s4,jane,S,\n\"Student, Test\",99,,3f786850e387550fdab836ed7e6dc881de23001b,S,\n";

BOOST_AUTO_TEST_CASE(canvas) {
    const TestClass test;
    const std::string roster = test.write("gradebook.csv", kGradebook).string();
    const std::string taken = test.run({"add", "--roster", roster});
    BOOST_TEST(contains(taken, "no students: Student, Test."), taken);
    std::vector<Entry> entries{
        {testing::canvas_entry("Good, Zed", 123, true, 901, "goodben_456_1_self_attention.cpp"), "x"},
        {testing::canvas_entry("Good, Ben", 456, false, 902, "work-1.zip"), all_right()},
        {testing::canvas_entry("von_der_Aa, Jo", 14, false, 903, "2_work.zip"), all_right()},
        {testing::canvas_entry("Doe 2, Jane", 7, false, 904, "work.zip"), no_softmax()}};
    int attachment = 910;
    for (const auto& [name, bytes] : TestClass::files_of_work({"softmax"}, "zed"))
        entries.push_back({testing::canvas_entry("Good, Zed", 123, true, ++attachment, name), bytes});
    test.write("all.zip", zip_of(entries));
    const std::string added = test.run({"add", test.file("all.zip").string()});
    BOOST_TEST(contains(added, "all.zip (canvas): 4 hand-ins, 4 of them new, 0 that cannot be read"), added);
    BOOST_TEST(
        (column(test.exported({"--to", "canvas", "--table", roster}), "Attention (31)", "ID") ==
         Cells{{"", "85"}, {"123", kNoSoftmax}, {"456", kAll}, {"14", kAll}, {"7", kNoSoftmax}, {"99", ""}}));
    const std::string status = test.run({"status"});
    BOOST_TEST(!contains(status, "handed nothing in"), status);
}

BOOST_AUTO_TEST_CASE(canvas_with_anonymous_students) {
    const TestClass test;
    test.write("all.zip",
               zip_of({{testing::canvas_entry("", 0, true, 900, "2_work.zip", "x7Yz1"), all_right()},
                       {testing::canvas_entry("", 0, false, 901, "work.zip", "40213"), no_softmax()}}));
    const std::string added = test.run({"add", test.file("all.zip").string()});
    BOOST_TEST(contains(added, "all.zip (canvas): 2 hand-ins, 2 of them new"), added);
    BOOST_TEST((column(test.exported({"--to", "csv"}), "final", "id") ==
                Cells{{"x7Yz1", kAll}, {"40213", kNoSoftmax}}));
}

BOOST_AUTO_TEST_CASE(gradescope) {
    const TestClass test;
    const std::string roster =
        "Name,SID,Email,Role\nZed Good,0123,zed@u.edu,Student\nBen Good,0456,ben@u.edu,Student\n"
        "Ann Lee,0007,ann@u.edu,Student\nPat Prof,,pat@u.edu,Instructor\nTim Ta,,tim@u.edu,TA\n";
    const std::string taken = test.run({"add", "--roster", test.write("roster.csv", roster).string()});
    BOOST_TEST(contains(taken, "3 people"), taken);
    BOOST_TEST(contains(taken, "no students: Pat Prof, Tim Ta."), taken);
    // Zed writes Ben's name into his profile; the number and the address are his own.
    const std::string metadata =
        "---\n" +
        testing::gradescope_submission(11, {{"Ben Good", "0123", "zed@u.edu"}},
                                       "2026-11-02 02:45:37.123456000 Z") +
        testing::gradescope_submission(12,
                                       {{"Ben Good", "0456", "ben@u.edu"}, {"Ann Lee", "0007", "ann@u.edu"}},
                                       "2026-11-03 02:45:37.123456000 Z");
    test.write("all.zip", zip_of({{"assignment_7_export/submission_metadata.yml", metadata},
                                  {"assignment_7_export/submission_11/work.zip", no_softmax()},
                                  {"assignment_7_export/submission_12/work.zip", all_right()}}));
    test.run({"add", test.file("all.zip").string()});
    BOOST_TEST((column(test.exported({"--to", "gradescope"}), "Total Score", "SID") ==
                Cells{{"0123", kNoSoftmax}, {"0456", kAll}, {"0007", kAll}}));
}

BOOST_AUTO_TEST_CASE(autolab) {
    const TestClass test;
    // The login is the address, as in the rosters of many universities.
    test.run({"add", "--roster",
              test.write("roster.csv",
                         "name,email,login\nBen Good,ben@u.edu,ben@u.edu\nAnn Lee,a_n_9@u.edu,a_n_9@u.edu\n")
                  .string()});
    test.write("all.zip", zip_of({{testing::autolab_entry("x-ben@u.edu", 9, "handin.zip"), no_softmax()},
                                  {testing::autolab_entry("ben@u.edu", 1, "handin.zip"), no_softmax()},
                                  {testing::autolab_entry("ben@u.edu", 2, "handin.zip"), all_right()},
                                  {testing::autolab_entry("a_n_9@u.edu", 10, "handin.zip"), no_softmax()},
                                  {testing::autolab_entry("x_ben@u.edu", 3, "handin.zip"), no_softmax()}}));
    const std::string added = test.run({"add", test.file("all.zip").string()});
    BOOST_TEST(contains(added, "\"x-ben@u.edu\" is not on the roster."), added);
    const std::string out = test.exported({"--to", "autolab"});
    BOOST_TEST(out == "ben@u.edu,85\na_n_9@u.edu,65\n");
    // Only the stranger has handed in: the row stays empty.
    const TestClass other;
    other.run({"add", "--roster",
               other.write("roster.csv", "name,email,login\nBen,ben@u.edu,ben@u.edu\n").string()});
    other.write("all.zip", zip_of({{testing::autolab_entry("x-ben@u.edu", 9, "handin.zip"), all_right()}}));
    other.run({"add", other.file("all.zip").string()});
    BOOST_TEST(other.exported({"--to", "autolab"}) == "");
}

/// Folders that are clones. What GitHub Classroom clones is called EXERCISE-LOGIN and lies in EXERCISE-submissions.
std::filesystem::path clones(const TestClass& test, const std::string& folder,
                             const std::vector<std::pair<std::string, std::string>>& logins) {
    for (const auto& [name, zip] : logins) {
        test.write(folder + "/" + name + "/work.zip", zip);
        std::filesystem::create_directories(test.file(folder) / name / ".git");
    }
    return test.file(folder);
}

BOOST_AUTO_TEST_CASE(github_classroom) {
    const std::string roster =
        "identifier,github_username,github_id,name\n1,ann,1,Ann One\n2,ann-lee,2,Ann Lee\n3,lee,3,Lee Wu\n";
    const auto marks = [&](const std::string& folder,
                           const std::vector<std::pair<std::string, std::string>>& logins) {
        const TestClass test;
        test.run({"add", "--roster", test.write("roster.csv", roster).string()});
        test.run({"add", clones(test, folder, logins).string()});
        Cells cells = column(test.exported({"--to", "csv"}), "final", "login");
        std::erase_if(cells, [](const auto& cell) { return cell.second.empty(); });
        return cells;
    };
    const Cells both{{"ann-lee", kAll}, {"lee", kNoSoftmax}};
    BOOST_TEST((marks("hw2-submissions", {{"hw2-ann-lee", all_right()}, {"hw2-lee", no_softmax()}}) == both));
    // The common beginning "hw2-ann-" is not the exercise's name, and "lee" is somebody else's login.
    BOOST_TEST((marks("clones", {{"hw2-ann", no_softmax()}, {"hw2-ann-lee", all_right()}}) ==
                Cells{{"ann", kNoSoftmax}, {"ann-lee", kAll}}));
    BOOST_TEST((marks("clones", {{"hw2-ann-lee", all_right()}, {"hw2-ann-new", no_softmax()}}) ==
                Cells{{"ann-lee", kAll}, {"new", kNoSoftmax}}));
    // An account that ends like another does not take its row.
    BOOST_TEST((marks("hw2-submissions", {{"hw2-aaa-ann", no_softmax()}, {"hw2-ann", all_right()}}) ==
                Cells{{"ann", kAll}, {"aaa-ann", kNoSoftmax}}));
}

BOOST_AUTO_TEST_CASE(a_match_by_an_ending_is_said_and_is_no_merge) {
    const std::string roster = "name,login\nAnn One,ann\nBen Two,ben\n";
    const auto taken = [&](const std::vector<std::string>& folders) {
        const TestClass test;
        test.run({"add", "--roster", test.write("roster.csv", roster).string()});
        for (const std::string& folder : folders) test.write("all/" + folder + "/work.zip", all_right());
        const std::string added = test.run({"add", test.file("all").string()});
        return added + test.run({"status"});
    };
    const std::string one = taken({"aaa-ann", "ben"});
    BOOST_TEST(contains(one, "\"aaa-ann\" is taken for \"Ann One\", because it ends in the login \"ann\""),
               one);
    const std::string exact = taken({"aaa-ann", "ann", "ben"});
    BOOST_TEST(contains(exact, "who is there under their own name"), exact);
    BOOST_TEST(contains(exact, "not on the roster: 1\n    aaa-ann"), exact);
    const std::string two = taken({"aaa-ann", "zzz_ann", "ben"});
    BOOST_TEST(contains(two, "cannot be graded: 2"), two);
    BOOST_TEST(contains(two, "It may be of \"Ann One\" on the roster, and so may \"zzz_ann\"."), two);
    BOOST_TEST(contains(two, "handed nothing in: 1\n    Ann One"), two);
    const std::string names = taken({"Ann One", "ann", "ben"});
    BOOST_TEST(contains(names, "There is another \"Ann One\" already"), names);
}

BOOST_AUTO_TEST_CASE(exports_know_what_is_graded_and_the_points_of_each_function) {
    const TestClass test;
    test.write("all/ann/work.zip", no_softmax());
    test.write("all/ben/work.rar", "Rar!\x1a\x07");
    test.run({"add", test.file("all").string()});
    const auto students = nlohmann::json::parse(test.exported({"--to", "json"})).at("students");
    BOOST_TEST(students.at(0).at("attempts").at(0).at("graded") == true);
    BOOST_TEST(students.at(1).at("attempts").at(0).at("graded") == false);
    BOOST_TEST(students.at(1).at("functions").empty());
    std::map<std::string, double> points;
    for (const auto& each : students.at(0).at("functions")) points[each.at("function")] = each.at("points");
    BOOST_TEST(points.size() == 3U);
    BOOST_TEST(points.at("softmax") == 0);
    BOOST_TEST(points.at("self_attention") > 0);
    const std::string csv = test.exported({"--to", "csv"});
    BOOST_TEST((column(csv, "points of softmax", "login") == Cells{{"ann", "0"}, {"ben", ""}}));
    double sum = 0;
    for (const auto& [function, of] : points) {
        BOOST_TEST(column(csv, "points of " + function, "login").at("ann") == fmt::format("{:g}", of));
        sum += of;
    }
    BOOST_TEST(sum == 65);
}

BOOST_AUTO_TEST_CASE(an_extension_of_nobody_is_refused) {
    const TestClass test;
    test.change_rules("# due = \"2026-11-20T23:59:00+01:00\"", "due = \"2026-11-20T23:59:00+01:00\"");
    const std::string rules = data::read_file(test.folder() / "class.toml");
    const auto with = [&](const std::string& who) {
        std::ofstream(test.folder() / "class.toml")
            << rules << "[[exercise.extension]]\nwho = \"" << who
            << "\"\nuntil = \"2026-11-27T23:59:00+01:00\"\nreason = \"ill\"\n";
        return test.refused({"status"});
    };
    test.run({"add", "--roster",
              test.write("roster.csv",
                         "name,email,id\nAnna Meyer,anna@example.org,1\nBen Poe,ben@example.org,2\n"
                         "Ben Poe,poe@example.org,3\n")
                  .string()});
    BOOST_TEST(with("anna@example.org") == "");
    BOOST_TEST(with("2") == "");
    for (const char* who : {"ana@example.org", "Anna Mayer", "Anna", "meyer, anna", "Anna@Example.org"}) {
        const std::string said = with(who);
        BOOST_TEST(contains(said, "is of nobody in this class"), said);
        BOOST_TEST((contains(said, "\"anna@example.org\"") || contains(said, "\"Anna Meyer\"")), said);
    }
    BOOST_TEST(contains(with("Quentin"), "expected an e-mail address, a login, an id or a whole name;"));
    BOOST_TEST(contains(with("Ben Poe"), "may be of 2 students"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::classes
