// A submission that exceeds a limit, packed or unpacked, is refused before it is written.

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "datasets/files/message_contains.h"
#include "grader/testing/intake_fixture.h"

namespace attn::intake {
namespace {

BOOST_AUTO_TEST_SUITE(intake_limits, *boost::unit_test::label("long"))

using namespace std::string_literals;
using data::message_contains;

BOOST_AUTO_TEST_CASE(a_submission_over_a_limit_is_refused) {
    IntakeLimits limits;
    limits.files = 2;
    limits.file_bytes = std::uintmax_t{2} << 20;
    limits.total_bytes = std::uintmax_t{3} << 20;
    const std::string mib(std::size_t{1} << 20, 'x');
    for (const Packing& packing : kPackings) {
        BOOST_TEST_CONTEXT(packing) {
            check_refused(packing.pack({{"a", ""}, {"b", ""}, {"c", ""}}),
                          {"more than 2 files", "at most 2", "hand in"}, limits);
            check_refused(packing.pack({{"a", mib + mib + "x"}}),
                          {"\"a\" has more than 2097152 bytes", "may have 2 MiB", "take it out"}, limits);
            check_refused(packing.pack({{"a", mib + mib}, {"b", mib + "x"}}),
                          {"more than 3145728 bytes together", "3 MiB", "sources only"}, limits);
            const TestSubmission submission;
            BOOST_TEST(
                files_in(
                    take_in(submission.write_archive(packing.pack({{"a", mib + mib}, {"b", mib}})), limits)
                        .folder)
                    .size() == 2U);
        }
    }
    limits.archive_bytes = 100;
    check_refused(std::string(101, 'x'), {"an archive of 101 bytes", "may have 0 MiB"}, limits);
}

BOOST_AUTO_TEST_CASE(submissions_that_share_a_use_share_the_limits) {
    IntakeLimits limits;
    limits.files = 5;
    limits.archives = 4;
    limits.total_bytes = 1000;
    const TestSubmission submission;
    const fs::path archive = submission.write_archive(zip_of({{"a", "12345"}, {"b", ""}}));
    IntakeUse use;
    for (int k = 0; k < 2; ++k) BOOST_TEST(files_in(take_in(archive, limits, use).folder).size() == 2U);
    BOOST_TEST(use.bytes == 10U);
    BOOST_TEST(use.files == 4);
    BOOST_TEST(use.archives == 2);
    BOOST_TEST(use.processor_s > 0);
    BOOST_CHECK_EXCEPTION(take_in(archive, limits, use), UserError, message_contains({"more than 5 files"}));
    limits.files = 1000;
    IntakeUse other{.bytes = 996};
    BOOST_CHECK_EXCEPTION(take_in(archive, limits, other), UserError,
                          message_contains({"more than 1000 bytes together"}));
    IntakeUse archives{.archives = 4};
    BOOST_CHECK_EXCEPTION(take_in(archive, limits, archives), UserError,
                          message_contains({"more than 4 archives", "one .zip"}));
}

BOOST_AUTO_TEST_CASE(a_submission_that_takes_too_long_is_refused) {
    IntakeLimits limits;
    limits.processor_s = 0.01;
    const std::string mib(std::size_t{1} << 20, 'x');
    std::vector<Entry> large, folders(4000, {"d/", "", '5'});
    for (int k = 0; k < 20; ++k) large.push_back({std::to_string(k), mib});
    for (const Packing& packing : kPackings)
        check_refused(packing.pack(large), {"more than 0.01 s of processor time", "one .zip"}, limits);
    IntakeUse use{.processor_s = 0.02};
    const TestSubmission submission;
    BOOST_CHECK_EXCEPTION(take_in(submission.write_archive(tar_of(folders)), limits, use), UserError,
                          message_contains({"processor time"}));
    submission.write("a.cpp", "x");
    BOOST_CHECK_EXCEPTION(take_in(submission.folder(), limits, use), UserError,
                          message_contains({"processor time"}));
}

BOOST_AUTO_TEST_CASE(many_entries_are_refused_even_if_all_are_left_out) {
    IntakeLimits limits;
    limits.entries = 100;
    const std::vector<Entry> many(101, {"d/", "", '5'});
    check_refused(tar_of(many), {"more than 100 files and folders"}, limits);
    check_refused(tar_of(std::vector<Entry>(101, {"../x", ""})), {"more than 100 files and folders"}, limits);
}

BOOST_AUTO_TEST_CASE(many_notes_are_shortened) {
    const TestSubmission submission;
    std::vector<Entry> many(500, {"../x", ""});
    many.push_back({"a.cpp", "good"});
    const auto notes = take_in(submission.write_archive(tar_of(many))).notes;
    BOOST_TEST(notes.size() == 21U);
    BOOST_TEST(notes.back() == "and 480 more of this kind");
}

BOOST_AUTO_TEST_CASE(deeply_nested_folders_are_refused) {
    std::string deep;
    for (int k = 0; k < 40; ++k) deep += "d/";
    check_refused(tar_of({{deep + "a", ""}}), {"nested folders, 41 deep", "at most 16 are opened"});
    const TestSubmission submission;
    fs::create_directories(submission.folder() / deep);
    BOOST_CHECK_EXCEPTION(take_in(submission.folder()), UserError,
                          message_contains({"nested folders, 17 deep"}));
}

constexpr std::uint64_t kTenGb = std::uint64_t{10} << 30;
const std::string kZeros(std::size_t{16} << 20, '\0');

std::string repeated(const std::string& text, std::uint64_t times) {
    std::string result;
    for (; times > 0; --times) result += text;
    return result;
}

BOOST_AUTO_TEST_CASE(ten_gigabytes_of_zeros_in_a_tar_gz_are_refused) {
    Entry entry{"zeros", ""};
    entry.claimed = kTenGb;
    const std::string header = tar_of({entry}).substr(0, 512);
    check_refused(gzip_of(header) + repeated(gzip_of(kZeros), kTenGb / kZeros.size()),
                  {"unpacks to more than"});
    check_refused(gzip_of(header), {"\"zeros\" has more than 16777216 bytes"});
    check_refused(header, {"\"zeros\" has more than 16777216 bytes"});
}

BOOST_AUTO_TEST_CASE(ten_gigabytes_of_zeros_in_a_zip_are_refused_whatever_it_claims) {
    const std::string some = deflated(kZeros, -15, Z_FULL_FLUSH);
    const std::string packed = repeated(some, kTenGb / kZeros.size()) + deflated("", -15);
    Entry entry{"zeros", ""};
    for (const std::int64_t claimed : {std::int64_t{100}, std::int64_t{0}, std::int64_t{0xfffffff0}}) {
        entry.claimed = claimed;
        check_refused(zip_of({entry}, packed), {"\"zeros\" has more than 16777216 bytes", "16 MiB"});
    }
}

BOOST_AUTO_TEST_CASE(endless_headers_are_refused) {
    // GNU's map of a sparse file continues as long as each block says that another one follows.
    std::string block;
    for (int k = 0; k < 21; ++k) block += "00000000001\0"s + "00000000001\0"s;
    block += "\1" + std::string(7, '\0');
    const std::string blocks = repeated(block, (std::size_t{1} << 20) / 512);
    Entry entry{"sparse", ""};
    entry.type = 'S';
    check_refused(gzip_of(tar_of({entry}).substr(0, 512)) + repeated(gzip_of(blocks), 200),
                  {"unpacks to more than"});
}

BOOST_AUTO_TEST_CASE(a_large_file_in_a_folder_is_refused_before_it_is_read) {
    const TestSubmission submission;
    fs::resize_file(submission.write("core", ""), kTenGb);
    BOOST_CHECK_EXCEPTION(
        take_in(submission.folder()), UserError,
        message_contains(
            {submission.folder().string() + ": \"core\" has more than 16777216 bytes", "take it out"}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::intake
