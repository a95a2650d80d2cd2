// From what was handed in to the points: archives, text from other systems, headers of one's own.

#include <string>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "grader/grading/grade.h"
#include "grader/proof/harness.h"
#include "grader/testing/archives.h"
#include "grader/testing/run_grader.h"

namespace attn {
namespace {

using submission::Entry;

/// A submission as it was handed in; it is worth all points, and this is noted.
struct Handed {
    std::string what, bytes;
    std::vector<std::string> notes = {};
    friend std::ostream& operator<<(std::ostream& out, const Handed& handed) { return out << handed.what; }
};

std::string solution() {
    return proof::solution("self_attention");
}

std::string with_crlf(const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '\n' ? "\r\n" : std::string(1, c);
    return result;
}

/// The solution behind a header of the student's own.
std::vector<Entry> of_two_files() {
    return {
        {"repo-main/self_attention.cpp", "#include \"help/helper.h\"\nstatic_assert(kHelps);\n" + solution()},
        {"repo-main/help/helper.h", "#pragma once\nconstexpr bool kHelps = true;\n"},
        {"repo-main/passwords", "", '2', "/etc/passwd"}};
}

const std::vector<std::string> kTwoFiles = {"left out: \"repo-main/passwords\", a symbolic link",
                                            "the folder \"repo-main\" of the archive is graded"};

const std::vector<Handed>& all_handed() {
    static const std::vector<Handed> kAll = {
        {"CRLF", submission::zip_of({{"self_attention.cpp", with_crlf(solution())}})},
        {"BOM and CRLF", submission::gzip_of(submission::tar_of(
                             {{"self_attention.cpp", "\xef\xbb\xbf" + with_crlf(solution())}}))},
        {"zip with a header of one's own and a link", submission::zip_of(of_two_files()), kTwoFiles}};
    return kAll;
}

BOOST_AUTO_TEST_SUITE(handed_in)

BOOST_DATA_TEST_CASE(a_right_solution_is_worth_all_points, boost::unit_test::data::make(all_handed()),
                     handed) {
    const data::TemporaryDirectory place;
    GradeOptions options;
    options.submission = place.write("work", handed.bytes);
    options.assignment = 2;
    options.speed = false;
    const report::Report report = grade(options);
    BOOST_TEST(report.submission == options.submission.string());
    BOOST_TEST(report.assignments.at(0).points == 85);
    BOOST_REQUIRE(report.notes.size() == handed.notes.size() + 1);
    BOOST_TEST(report.notes.back() == "speed is not measured (--no-speed), and its points do not count");
    for (std::size_t k = 0; k < handed.notes.size(); ++k)
        BOOST_TEST(report.notes[k].starts_with(handed.notes.at(k)), report.notes[k]);
}

BOOST_AUTO_TEST_CASE(every_command_takes_archives) {
    const cli::TestFolder desk;
    const std::string zip = desk.folder.write("work.zip", submission::zip_of(of_two_files())).string();
    const std::string note = "note: left out: \"repo-main/passwords\"", json = desk.file("report.json");
    cli::check_run({"grade", zip, "-a", "2", "--no-speed", "--json", json}, 0, {note, "85 / 85\n"});
    cli::check_run({"explain", "2.softmax.tall", "--report", json}, 0, {"2.softmax.tall, numeric: passed"});
    cli::check_run({"run", "softmax", "--impl", "student", "--submission", zip, "--in",
                    desk.in<float>("X", {1, 2}, {0, 0})},
                   0, {note, "0.5"});
}

BOOST_AUTO_TEST_CASE(an_archive_that_cannot_be_taken_is_no_mark_of_zero) {
    const cli::TestFolder desk;
    const std::string broken = desk.folder.write("work.zip", "PK\x03\x04").string();
    cli::check_run({"grade", broken}, 2, {"grader: " + broken + ": the archive is broken", "copy it again"});
}

BOOST_AUTO_TEST_CASE(what_a_student_prints_is_quoted_by_every_command) {
    const cli::TestFolder desk;
    const std::string body =
        "    std::puts(\"::error::p\\n\\x1b[2J\\n   ::notice::q ##[error]r\");\n"
        "    throw std::runtime_error(\"a\\n::error::e\\n   softmax   20 / 20   ok\");\n";
    const std::string folder = desk.submission(
        "#include <cstdio>\n#include <stdexcept>\n#include \"self_attention.h\"\n#warning ::error::w\n"
        "void attn::softmax(TensorView<float, 2>, TensorView<const float, 2>) {\n" +
        body + "}\n");
    const std::string json = desk.file("report.json");
    for (const cli::Words& words : {cli::Words{"grade", folder, "-a", "2", "--no-speed", "--json", json},
                                    {"explain", "2.softmax.tall", "--report", json},
                                    {"run", "softmax", "--impl", "student", "--submission", folder, "--in",
                                     desk.in<float>("X", {1, 2}, {0, 0})}}) {
        const cli::Run run = cli::run_grader(words);
        BOOST_TEST_CONTEXT(run.text) {
            BOOST_TEST(run.exit_code == 1);
            BOOST_TEST(cli::contains(run.text, "| | ::error::p\n"));
            BOOST_TEST(cli::contains(run.text, "a ::error::e softmax 20 / 20 ok"));
            for (const char* raw : {"\n::", "\n   ::", "\x1b", "##["})
                BOOST_TEST(!cli::contains(run.text, raw), raw);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
