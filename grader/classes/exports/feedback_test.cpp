#include <boost/test/unit_test.hpp>
#include <sys/stat.h>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/base/errors.h"
#include "grader/classes/downloads/entries.h"
#include "grader/classes/exports/exports.h"

using namespace attn;
using namespace attn::classes;

BOOST_AUTO_TEST_SUITE(feedback)

namespace fs = std::filesystem;

/// A report with a check that is shown and one that never is.
report::Report report_of() {
    report::Check shown, secret;
    shown.id = "2.softmax.ragged";
    shown.name = "ragged";
    shown.outcome = Outcome::wrong;
    shown.max_points = 5;
    shown.message = "The rows do not sum to one.";
    secret = shown;
    secret.id = "2.softmax.hidden";
    secret.name = "hidden";
    secret.message = "The secret is 4711.";
    secret.disclosure = report::Disclosure::never;
    report::Part part;
    part.function = "softmax";
    part.max_points = 10;
    part.checks = {shown, secret};
    report::Assignment assignment;
    assignment.number = 2;
    assignment.name = "self_attention";
    assignment.title = "Self-attention";
    assignment.max_points = 10;
    assignment.sources = {{.name = "self_attention.cpp", .exists = true, .compiled = true, .messages = ""}};
    assignment.parts = {part};
    report::Report report;
    report.submission = "/home/teacher/class/attempts/17";
    report.assignments = {assignment};
    return report;
}

StudentView student(const std::string& name, const std::string& label, const std::string& platform = "",
                    const std::string& id = "") {
    StudentView one;
    one.person.name = name;
    one.label = label;
    one.platform = platform;
    one.platform_id = id;
    AttemptView attempt;
    attempt.number = 1;
    attempt.counts = true;
    attempt.report = report_of();
    one.attempts = {attempt};
    Mark mark;
    mark.out_of = 10;
    mark.final = 4;
    mark.explanation = "5 of 10, 1 day late: 10 % a day, 1 off, 4";
    one.mark = mark;
    return one;
}

ClassView class_of(const std::vector<StudentView>& students) {
    ClassView view;
    view.title = "Attention, exercise 2";
    view.names = true;
    view.students = students;
    return view;
}

std::map<std::string, std::string> written(const ClassView& view, const std::string& platform, bool zipped,
                                           Exported* result = nullptr) {
    const data::TemporaryDirectory folder;
    const fs::path out = folder / (zipped ? "out.zip" : "out");
    const Exported exported = write_feedback(view, platform, out);
    if (result != nullptr) *result = exported;
    struct stat status {};
    stat(out.c_str(), &status);
    BOOST_TEST((status.st_mode & 0077) == 0);
    const DownloadEntries entries = list_entries(out);
    std::map<std::string, std::string> files;
    read_entries(entries, {.wanted = [&](std::size_t k) { return !entries.entries[k].folder; },
                           .read =
                               [&](std::size_t k, const intake::NextBytes& next) {
                                   std::string& text = files[entries.entries[k].path];
                                   for (auto bytes = next(); !bytes.empty(); bytes = next()) text += bytes;
                               },
                           .broken = [](std::size_t, const std::string& why) { BOOST_ERROR(why); }});
    return files;
}

/// The participant that Moodle's importer gives a file of the zip to; empty if it ignores the file.
std::string moodle_gives_to(const std::string& path) {
    const std::string file = path.substr(path.rfind('/') + 1);
    if (file.starts_with('.') || file.starts_with('~')) return "";
    std::istringstream parts(path);
    for (std::string part; std::getline(parts, part, '/');) {
        std::vector<std::string> info(1);
        for (const char c : part)
            if (c == '_' && info.size() < 5)
                info.emplace_back();
            else
                info.back() += c;
        if (info.size() < 4 || info[1].empty() ||
            info[1].find_first_not_of("0123456789") != std::string::npos)
            continue;
        if (info[2] == "assignsubmission" && info[3] == "file") return info[1];
    }
    return "";
}

/// The user and the attachment that Canvas finds in the name of an uploaded file.
std::string canvas_gives_to(const std::string& name) {
    std::istringstream parts(name);
    std::string found;
    int numbers = 0;
    for (std::string part; std::getline(parts, part, '_') && numbers < 2;)
        if (!part.empty() && part.find_first_not_of("0123456789") == std::string::npos)
            found += (numbers++ > 0 ? " " : "") + part;
    return numbers == 2 ? found : "";
}

BOOST_AUTO_TEST_CASE(moodle_finds_whose_feedback_it_is) {
    const ClassView view =
        class_of({student("Jane Doe", "Jane Doe_12_assignsubmission_file_", "moodle", "12"),
                  student("Jane Doe", "Jane Doe_13_assignsubmission_file", "moodle", "13"),
                  student("~Till", "~Till_14_assignsubmission_file", "moodle", "14"), student("Paper", ""),
                  student("Folder", "Ben_15_assignsubmission_file", "folder", "15")});
    for (const bool zipped : {false, true}) {
        Exported result;
        const auto files = written(view, "moodle", zipped, &result);
        std::map<std::string, int> given;
        for (const auto& [path, bytes] : files) ++given[moodle_gives_to(path)];
        BOOST_TEST((given == std::map<std::string, int>{{"12", 2}, {"13", 2}, {"14", 2}}));
        BOOST_TEST(result.written == 3);
        BOOST_TEST(result.notes.at(0).find("Paper, Folder") != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(canvas_finds_whose_feedback_it_is) {
    const auto files = written(
        class_of({student("Jane", "doejane_LATE_12_900", "canvas", "12"), student("Jim", "x", "canvas", "7"),
                  student("", "LATE_anon_x7Yz1_901", "canvas", "x7Yz1")}),
        "canvas", true);
    BOOST_TEST(files.size() == 4);
    for (const auto& [path, bytes] : files)
        BOOST_TEST((canvas_gives_to(path) == "12 900" || path.starts_with("LATE_anon_x7Yz1_901_")), path);
}

BOOST_AUTO_TEST_CASE(students_read_their_mark_and_only_what_is_disclosed) {
    const auto files = written(class_of({student("Jane", "jane")}), "folder", false);
    BOOST_REQUIRE(files.size() == 2);
    const std::string &text = files.at("jane/feedback.txt"), &page = files.at("jane/feedback.html");
    BOOST_TEST(text.find("Mark: 4 of 10 (5 of 10, 1 day late: 10 % a day, 1 off, 4)\n") != std::string::npos);
    for (const std::string* one : {&text, &page}) {
        BOOST_TEST(one->find("rows do not sum to one") != std::string::npos);
        BOOST_TEST(one->find("4711") == std::string::npos);
        BOOST_TEST(one->find("/home/teacher") == std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(held_faulty_and_unreadable_hand_ins) {
    std::vector<StudentView> students = {student("Held", "held"), student("Fault", "fault"),
                                         student("Rar", "rar"), student("None", "none")};
    students[0].mark->held = true;
    for (StudentView& one : {std::ref(students[1]), std::ref(students[2])}) {
        one.mark.reset();
        one.attempts[0].report.reset();
    }
    students[1].attempts[0].problem = "worker 7 of node-3 died";
    students[1].attempts[0].fault = true;
    students[2].attempts[0].problem = "this is a rar archive";
    students[3].attempts.clear();
    Exported result;
    const auto files = written(class_of(students), "folder", true, &result);
    BOOST_TEST(files.size() == 2);
    BOOST_TEST(files.at("rar/feedback.txt").find("this is a rar archive") != std::string::npos);
    BOOST_TEST(files.at("fault/feedback.txt").find("no mark of zero") != std::string::npos);
    BOOST_TEST(files.at("fault/feedback.txt").find("node-3") == std::string::npos);
    BOOST_TEST(result.notes.at(0) == "Held, and without feedback: Held.");
}

BOOST_AUTO_TEST_CASE(names_make_no_paths) {
    const auto files =
        written(class_of({student("A", "../../evil"), student("B", "/etc/x"), student("C", "twin"),
                          student("D", "twin"), student("E", std::string(400, 'e'))}),
                "folder", false);
    BOOST_TEST(files.size() == 10);
    for (const auto& [path, bytes] : files) BOOST_TEST(path.find("..") != 0, path);
    BOOST_TEST(files.count("twin 2/feedback.txt") == 1);
}

BOOST_AUTO_TEST_CASE(earlier_feedback_is_not_mixed_with) {
    const data::TemporaryDirectory folder;
    folder.write("out.zip", "x");
    fs::create_directories(folder / "full");
    folder.write("full/file", "x");
    for (const char* name : {"out.zip", "full"})
        BOOST_CHECK_THROW(write_feedback(class_of({}), "moodle", folder / name), UserError);
}

BOOST_AUTO_TEST_SUITE_END()
