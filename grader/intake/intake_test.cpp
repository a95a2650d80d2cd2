// A submission is copied as regular files with harmless names; nothing else is created.

#include "grader/intake/intake.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <sys/stat.h>

#include "datasets/files/message_contains.h"
#include "grader/testing/intake_fixture.h"

namespace attn::intake {
namespace {

BOOST_AUTO_TEST_SUITE(intake)

using namespace std::string_literals;
using data::message_contains;

BOOST_DATA_TEST_CASE(files_are_copied_with_their_folders, boost::unit_test::data::make(kPackings), packing) {
    const TestSubmission submission;
    check_accepted(submission.write_archive(
                       packing.pack({{"a.cpp", "one"}, {"./b//c.h", ""}, {"./", "", '5'}, {"b/", "", '5'}})),
                   {{"a.cpp", "one"}, {"b/c.h", ""}}, {});
}

BOOST_DATA_TEST_CASE(unsafe_names_are_left_out, boost::unit_test::data::make(kPackings), packing) {
    const std::string long_name(99, 'n');
    const TestSubmission submission;
    check_accepted(
        submission.write_archive(packing.pack({{"../evil.cpp", "x"},
                                               {"/etc/evil", "x"},
                                               {"b/../../evil", "x"},
                                               {"new\nline.cpp", "x"},
                                               {"\x1b[2Jred.cpp", "x"},
                                               {"a.cpp", "good"},
                                               {"\u00fcbung.cpp", "good"}})),
        {{"a.cpp", "good"}, {"\u00fcbung.cpp", "good"}},
        {"left out: \"../evil.cpp\", which leads out", "\"/etc/evil\", an absolute name",
         "\"b/../../evil\", which leads out", "\"new\\x0aline.cpp\", a name with control characters",
         "\"\\x1b[2Jred.cpp\", a name with control"});
    BOOST_TEST(!fs::exists(submission.temporary / "evil.cpp"));
    BOOST_TEST(!fs::exists("/etc/evil"));
}

/// Compilers take NAME.h.gch, a file or a folder of any files, in place of NAME.h.
BOOST_DATA_TEST_CASE(precompiled_headers_are_left_out, boost::unit_test::data::make(kPackings), packing) {
    const TestSubmission submission;
    const char* why = "a precompiled header, which would replace a header; hand in the sources only";
    check_accepted(submission.write_archive(packing.pack({{"a.cpp", "good"},
                                                          {"self_attention.h.gch", "gpch"},
                                                          {"deep/tensor.h.gch/O2", "gpch"},
                                                          {"deep/tensor.h.pch", "CPCH"},
                                                          {"gch.h", "a header"}})),
                   {{"a.cpp", "good"}, {"gch.h", "a header"}}, {why, why, why});
}

BOOST_AUTO_TEST_CASE(names_that_are_too_long_are_left_out) {
    const TestSubmission submission;
    const std::string name(300, 'n');
    std::string path;
    for (int k = 0; k < 6; ++k) path += std::string(200, 'n') + "/";
    check_accepted(
        submission.write_archive(zip_of({{name, "x"}, {path + "a.cpp", "x"}, {"a.cpp", "good"}, {"", "x"}})),
        {{"a.cpp", "good"}}, {"a name of 300 bytes", "a name of 1211 bytes", "an empty name"});
}

BOOST_AUTO_TEST_CASE(links_and_devices_in_a_tar_are_left_out) {
    const TestSubmission submission;
    check_accepted(submission.write_archive(tar_of({{"notes", "", '2', "/etc/passwd"},
                                                    {"hard", "", '1', "/etc/passwd"},
                                                    {"zero", "", '3'},
                                                    {"disk", "", '4'},
                                                    {"pipe", "", '6'},
                                                    {"notes/a.cpp", "in what would have been a link"},
                                                    {"a.cpp", "good"}})),
                   {{"a.cpp", "good"}, {"notes/a.cpp", "in what would have been a link"}},
                   {"left out: \"notes\", a symbolic link to \"/etc/passwd\"; hand in the file itself",
                    "\"hard\", a hard link to \"/etc/passwd\"", "\"zero\", a device", "\"disk\", a device",
                    "\"pipe\", a pipe"});
}

BOOST_AUTO_TEST_CASE(links_in_a_zip_are_left_out) {
    const TestSubmission submission;
    check_accepted(submission.write_archive(zip_of({{"notes", "", '2', "/etc/passwd"}, {"a.cpp", "good"}})),
                   {{"a.cpp", "good"}}, {"\"notes\", a symbolic link to \"/etc/passwd\""});
}

BOOST_DATA_TEST_CASE(the_last_file_of_a_name_counts, boost::unit_test::data::make(kPackings), packing) {
    const TestSubmission submission;
    check_accepted(
        submission.write_archive(packing.pack({{"a.cpp", "first, the longer one"}, {"./a.cpp", "last"}})),
        {{"a.cpp", "last"}}, {"\"a.cpp\" is in the archive twice; the last one counts"});
}

BOOST_AUTO_TEST_CASE(a_file_and_a_folder_of_one_name_do_not_clash) {
    const TestSubmission submission;
    const std::string note = "a file and a folder have this name";
    check_accepted(
        submission.write_archive(tar_of({{"a", "x"}, {"a/b.cpp", "y"}, {"c/d.cpp", "z"}, {"c", "w"}})),
        {{"d.cpp", "z"}}, {note, note, "the folder \"c\" is graded"});
}

BOOST_DATA_TEST_CASE(if_all_files_are_in_one_folder_that_folder_is_graded,
                     boost::unit_test::data::make(kPackings), packing) {
    const TestSubmission submission;
    check_accepted(submission.write_archive(packing.pack({{"repo-main/", "", '5'},
                                                          {"repo-main/a.cpp", "good"},
                                                          {"repo-main/.DS_Store", "junk"},
                                                          {"repo-main/.git/HEAD", "junk"},
                                                          {"__MACOSX/repo-main/._a.cpp", "junk"},
                                                          {"repo-main/more/b.h", "more"}})),
                   {{"a.cpp", "good"}, {"more/b.h", "more"}},
                   {"the folder \"repo-main\" of the archive is graded"});
}

BOOST_AUTO_TEST_CASE(the_only_folder_with_sources_is_graded) {
    const TestSubmission submission;
    check_accepted(submission.write_archive(
                       tar_of({{"lab/README", "x"}, {"lab/student/a.cpp", "y"}, {"lab/docs/b.h", "z"}})),
                   {{"a.cpp", "y"}},
                   {"the folder \"lab\" of the archive is graded",
                    "the folder \"student\" is graded, because all sources are in it"});
}

BOOST_AUTO_TEST_CASE(sources_in_several_folders_are_mentioned_in_a_note) {
    const TestSubmission submission;
    check_accepted(submission.write_archive(tar_of({{"student/a.cpp", "y"}, {"more/b.cpp", "z"}})),
                   {{"student/a.cpp", "y"}, {"more/b.cpp", "z"}},
                   {"the top folder has no source, but \"more\" has some"});
}

BOOST_AUTO_TEST_CASE(utf16_text_is_mentioned_in_a_note) {
    const TestSubmission submission;
    submission.write("a.cpp", "\xff\xfe/\0/\0"s);
    submission.write("b.h", "/\0/\0"s);
    submission.write("c.npy", "\xff\xfe/\0/\0"s);
    submission.write("d.cpp", "\xef\xbb\xbf// with a mark\r\n");
    const auto notes = take_in(submission.folder()).notes;
    BOOST_TEST(notes.size() == 2U);
    BOOST_TEST(notes.at(0) == "\"a.cpp\" is UTF-16 text, which compilers do not read; save it as UTF-8");
    BOOST_TEST(notes.at(1).starts_with("\"b.h\" is UTF-16"));
}

BOOST_AUTO_TEST_CASE(a_missing_submission_is_refused) {
    const TestSubmission submission;
    BOOST_CHECK_EXCEPTION(take_in(submission.temporary / "missing"), UserError,
                          message_contains({"missing: there is no such folder or archive", ".cpp files"}));
    BOOST_REQUIRE(mkfifo((submission.temporary / "pipe").c_str(), 0600) == 0);
    BOOST_CHECK_EXCEPTION(take_in(submission.temporary / "pipe"), UserError,
                          message_contains({"this is a pipe"}));
    BOOST_CHECK_EXCEPTION(take_in("/dev/zero"), UserError, message_contains({"a device"}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::intake
