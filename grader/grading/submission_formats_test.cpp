// Grades submissions of different formats: archives, text files from other systems, and own headers.

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

BOOST_AUTO_TEST_SUITE(submission_formats, *boost::unit_test::label("long"))

using intake::Entry;

/// A submission that earns all points. `notes`: the expected notes of the report.
struct Format {
    std::string name, bytes;
    std::vector<std::string> notes = {};
    friend std::ostream& operator<<(std::ostream& out, const Format& format) { return out << format.name; }
};

std::string solution() {
    return proof::solution("self_attention");
}

std::string with_crlf(const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '\n' ? "\r\n" : std::string(1, c);
    return result;
}

/// The solution with a header of the student's own, and a forbidden symbolic link.
std::vector<Entry> of_two_files() {
    return {
        {"repo-main/self_attention.cpp", "#include \"help/helper.h\"\nstatic_assert(kHelps);\n" + solution()},
        {"repo-main/help/helper.h", "#pragma once\nconstexpr bool kHelps = true;\n"},
        {"repo-main/passwords", "", '2', "/etc/passwd"}};
}

const std::vector<std::string> kTwoFiles = {"left out: \"repo-main/passwords\", a symbolic link",
                                            "the folder \"repo-main\" of the archive is graded"};

const std::vector<Format>& all_formats() {
    static const std::vector<Format> kAll = {
        {"CRLF", intake::zip_of({{"self_attention.cpp", with_crlf(solution())}})},
        {"BOM and CRLF",
         intake::gzip_of(intake::tar_of({{"self_attention.cpp", "\xef\xbb\xbf" + with_crlf(solution())}}))},
        {"a name from a browser's second download",
         intake::zip_of({{"Self_Attention (1).CPP", solution()}}),
         {"\"Self_Attention (1).CPP\" is graded as \"self_attention.cpp\""}},
        {"zip with an own header and a link", intake::zip_of(of_two_files()), kTwoFiles}};
    return kAll;
}

BOOST_DATA_TEST_CASE(a_right_solution_is_worth_all_points, boost::unit_test::data::make(all_formats()),
                     format) {
    const data::TemporaryDirectory place;
    GradeOptions options;
    options.submission = place.write("work", format.bytes);
    options.assignment = 2;
    options.speed = false;
    const report::Report report = grade(options);
    BOOST_TEST(report.submission == options.submission.string());
    BOOST_TEST(report.assignments.at(0).points == 85);
    BOOST_REQUIRE(report.notes.size() == format.notes.size() + 1);
    BOOST_TEST(report.notes.back() == "speed is not measured (--no-speed), and its points do not count");
    for (std::size_t k = 0; k < format.notes.size(); ++k)
        BOOST_TEST(report.notes[k].starts_with(format.notes.at(k)), report.notes[k]);
}

BOOST_AUTO_TEST_CASE(every_command_takes_archives) {
    const cli::TestFolder test;
    const std::string zip = test.folder.write("work.zip", intake::zip_of(of_two_files())).string();
    const std::string note = "note: left out: \"repo-main/passwords\"", json = test.file("report.json");
    cli::check_run({"grade", zip, "-a", "2", "--no-speed", "--json", json}, 0, {note, "85 / 85\n"});
    cli::check_run({"explain", "2.softmax.tall", "--report", json}, 0, {"2.softmax.tall, numeric: passed"});
    cli::check_run({"run", "softmax", "--impl", "student", "--submission", zip, "--in",
                    test.in<float>("X", {1, 2}, {0, 0})},
                   0, {note, "0.5"});
}

BOOST_AUTO_TEST_CASE(a_broken_archive_is_an_error_and_not_zero_points) {
    const cli::TestFolder test;
    const std::string broken = test.folder.write("work.zip", "PK\x03\x04").string();
    cli::check_run({"grade", broken}, 2, {"grader: " + broken + ": the archive is broken", "copy it again"});
}

BOOST_AUTO_TEST_CASE(a_submission_without_any_source_is_an_error_and_not_zero_points) {
    const cli::TestFolder test;
    const std::string zip =
        test.folder.write("work.zip", intake::zip_of({{"notes.txt", "a"}, {"SELF_ATTENTION.CPP", "b"}}))
            .string();
    cli::check_run(
        {"grade", zip}, 2,
        {"grader: " + zip + ": there is only \"SELF_ATTENTION.CPP\", \"notes.txt\"; expected one of",
         "hand in the folder"});
    cli::check_run({"grade", zip, "--assignment", "2"}, 2,
                   {"expected self_attention.cpp or self_attention.cu"});
    const data::TemporaryDirectory empty;
    cli::check_run({"grade", empty.path().string()}, 2, {"nothing was handed in"});
    // A file of another assignment does not turn into a zero for this one, but a file of any assignment is
    // enough.
    empty.write("masking.cpp", "#include \"masking.h\"\n");
    cli::check_run({"grade", empty.path().string(), "-a", "2"}, 2, {"there is only \"masking.cpp\""});
    cli::check_run({"grade", empty.path().string(), "--no-speed"}, 1, {"not handed in"});
}

BOOST_AUTO_TEST_CASE(every_command_quotes_what_a_student_prints) {
    const cli::TestFolder test;
    const std::string body =
        "    std::puts(\"::error::p\\n\\x1b[2J\\n   ::notice::q ##[error]r\");\n"
        "    throw std::runtime_error(\"a\\n::error::e\\n   softmax   20 / 20   ok\");\n";
    const std::string folder = test.submission(
        "#include <cstdio>\n#include <stdexcept>\n#include \"self_attention.h\"\n#warning ::error::w\n"
        "void attn::softmax(TensorView<float, 2>, TensorView<const float, 2>) {\n" +
        body + "}\n");
    const std::string json = test.file("report.json");
    for (const cli::Words& words : {cli::Words{"grade", folder, "-a", "2", "--no-speed", "--json", json},
                                    {"explain", "2.softmax.tall", "--report", json},
                                    {"run", "softmax", "--impl", "student", "--submission", folder, "--in",
                                     test.in<float>("X", {1, 2}, {0, 0})}}) {
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
