// Archives of an unsupported kind, damaged archives, encrypted archives, and files that are no archives.

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "grader/intake/intake_folder.h"
#include "grader/testing/intake_fixture.h"

namespace attn::intake {
namespace {

BOOST_AUTO_TEST_SUITE(from_archive)

using namespace std::string_literals;

BOOST_AUTO_TEST_CASE(names_marked_as_utf8_are_accepted_in_any_locale) {
    const TestSubmission submission;
    Entry entry{"\u00fcbung.cpp", "good"};
    entry.flags = 0x800;
    check_accepted(submission.write_archive(zip_of({entry})), {{"\u00fcbung.cpp", "good"}}, {});
    const std::string path = "19 path=\u00fcbung.cpp\n";  // a pax header is always UTF-8
    check_accepted(submission.write_archive(tar_of({{"pax", path, 'x'}, {"short", "good"}})),
                   {{"\u00fcbung.cpp", "good"}}, {});
    entry.name = "\xff.cpp";
    Entry good{"a.cpp", "good"};
    check_accepted(submission.write_archive(zip_of({good, entry})), {{"a.cpp", "good"}}, {"invalid UTF-8"});
}

BOOST_AUTO_TEST_CASE(names_from_windows_are_read) {
    for (const auto& [stored, name] : std::vector<std::pair<std::string, std::string>>{
             {"\x9a"
              "bung\xe1.cpp",
              "\u00dcbung\u00df.cpp"},  // CP850
             {"caf\x82.cpp", "caf\u00e9.cpp"},
             {"\xe4.cpp", "\u00f5.cpp"},  // Latin-1: read, although not as it was meant
             {"\x83\x65.cpp",
              "\u00e2"
              "e.cpp"}}) {  // Shift-JIS
        const TestSubmission submission;
        check_accepted(submission.write_archive(zip_of({{stored, "good"}, {"b.h", "x"}})),
                       {{name, "good"}, {"b.h", "x"}}, {});
    }
    const TestSubmission folder;
    check_accepted(folder.write_archive(zip_of({{"\x9a"
                                                 "bung/a.cpp",
                                                 "good"}})),
                   {{"a.cpp", "good"}}, {" of the archive is graded"});
}

BOOST_AUTO_TEST_CASE(a_tar_may_be_compressed_by_xz_or_bzip2) {
    for (const std::string program : {"xz", "bzip2"}) {
        const TestSubmission submission;
        const fs::path tar = submission.temporary.write("work.tar", tar_of({{"a.cpp", "good"}}));
        BOOST_REQUIRE(std::system((program + " " + tar.string()).c_str()) == 0);
        const fs::path packed = tar.string() + (program == "xz" ? ".xz" : ".bz2");
        check_accepted(packed, {{"a.cpp", "good"}}, {});
        const std::string bytes = data::read_file(packed);
        check_refused(bytes.substr(0, bytes.size() / 2), {"the archive is broken"});
        IntakeLimits small;
        small.total_bytes = 2;
        check_refused(bytes, {"more than 2 bytes"}, small);
    }
}

/// A file that is no supported archive, and what the message calls it.
struct Other {
    std::string bytes, description;
    friend std::ostream& operator<<(std::ostream& out, const Other& other) {
        return out << other.description;
    }
};

const std::vector<Other> kUnsupported = {
    {"7z\xbc\xaf\x27\x1c\0\4"s, "this is a 7z archive"},
    {"Rar!\x1a\x07\1\0"s, "this is a rar archive"},
    {"\x28\xb5\x2f\xfd\0"s, "compressed by zstd"},
    {gzip_of("int x;"), "this is no archive"},
    {"int x;\n", "this is no archive"},
    {"", "the file is empty"},
};

BOOST_DATA_TEST_CASE(a_file_of_another_kind_is_named, boost::unit_test::data::make(kUnsupported), other) {
    check_refused(other.bytes, {other.description,
                                "expected a folder, a .zip, a .tar, .tar.gz, .tar.xz or .tar.bz2", "zip -r"});
}

BOOST_DATA_TEST_CASE(an_archive_without_files_is_refused, boost::unit_test::data::make(kPackings), packing) {
    check_refused(packing.pack({}), {"there is no file in the archive", "expected the .cpp files"});
    check_refused(packing.pack({{"mine/", "", '5'}}), {"there is no file in the archive"});
    check_refused(packing.pack({{"mine", "", '2', "/home"}}),
                  {"there is no file", "a symbolic link to \"/home"});
}

BOOST_DATA_TEST_CASE(a_truncated_archive_is_refused, boost::unit_test::data::make(kPackings), packing) {
    std::string text;
    for (int k = 0; k < 3000; ++k) text += std::to_string(k * 7919 % 1000);
    const std::string bytes = packing.pack({{"a.cpp", text}});
    for (const std::size_t size : {bytes.size() / 2, bytes.size() / 4})
        check_refused(bytes.substr(0, size), {"the archive is broken", "copy it again"});
}

BOOST_AUTO_TEST_CASE(an_archive_that_is_compressed_twice_is_refused) {
    std::string bytes = gzip_of(gzip_of(tar_of({{"a.cpp", "x"}})));
    check_refused(bytes, {"compressed twice", "expected a .tar.gz, .tar.xz or .tar.bz2"});
    for (int k = 0; k < 60; ++k) bytes = gzip_of(bytes);
    check_refused(bytes, {"the archive is broken"});
}

BOOST_AUTO_TEST_CASE(a_damaged_zip_is_refused) {
    std::string bytes = zip_of({{"a.cpp", "damaged", '0', "", -1, 0}});
    bytes.replace(bytes.find("damaged"), 7, "Damaged");
    check_refused(bytes, {"the archive is broken", "CRC"});
}

BOOST_AUTO_TEST_CASE(an_encrypted_zip_is_refused) {
    Entry entry{"a.cpp", "0123456789abcdef"};
    entry.flags = 1;
    check_refused(zip_of({entry}), {"the archive is encrypted", "without a password"});
}

BOOST_AUTO_TEST_CASE(a_file_packed_by_a_rare_method_is_left_out) {
    const TestSubmission submission;
    Entry rare{"b.cpp", "x"};
    rare.method = 14;
    check_accepted(submission.write_archive(zip_of({{"a.cpp", "good"}, rare})), {{"a.cpp", "good"}},
                   {"\"b.cpp\", packed by a method that this grader does not read (ZIP 2.0 (lzma)"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::intake
