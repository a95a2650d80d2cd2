#include "datasets/files/file_error.h"

#include <filesystem>
#include <string>

#include <boost/test/unit_test.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "datasets/files/message_contains.h"
#include "datasets/files/temporary_directory.h"

using attn::data::FileError;
using attn::data::kMaxFileBytes;
using attn::data::message_contains;
using attn::data::read_file;
using attn::data::TemporaryDirectory;
namespace fs = std::filesystem;
namespace utf = boost::unit_test;

BOOST_AUTO_TEST_SUITE(file_error)

namespace {

struct NotRoot {
    boost::test_tools::assertion_result operator()(utf::test_unit_id) const { return geteuid() != 0; }
};

struct HasProc {
    boost::test_tools::assertion_result operator()(utf::test_unit_id) const {
        return fs::exists("/proc/self/mem");
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(every_byte_of_a_file_is_read) {
    const TemporaryDirectory folder;
    const std::string bytes("\0\xff\r\n\0x", 6);
    BOOST_TEST((read_file(folder.write("bytes", bytes)) == bytes));
    BOOST_TEST(read_file(folder.write("empty", "")).empty());
}

BOOST_AUTO_TEST_CASE(the_message_has_path_found_expected_and_remedy) {
    const FileError error("a/b.npy", "3 bytes", "expected 4", "save it again");
    BOOST_TEST(error.what() == std::string("a/b.npy: 3 bytes; expected 4; save it again"));
}

BOOST_AUTO_TEST_CASE(control_characters_are_escaped) {
    BOOST_TEST(attn::data::in_quotes("a\x1b[2J\xc3") == "\"a\\x1b[2J\\xc3\"");
    BOOST_TEST(attn::data::in_quotes("abcdef", 3) == "\"abc\"..");
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_named) {
    const TemporaryDirectory folder;
    const fs::path file = folder / "no.npy";
    BOOST_CHECK_EXCEPTION(read_file(file), FileError,
                          message_contains({file.string(), "there is no such file"}));
    BOOST_CHECK_EXCEPTION(read_file(file / "deeper"), FileError, message_contains({"there is no such file"}));
}

BOOST_AUTO_TEST_CASE(a_directory_is_refused) {
    const TemporaryDirectory folder;
    BOOST_CHECK_EXCEPTION(read_file(folder.path()), FileError,
                          message_contains({folder.path().string(), "a directory"}));
}

BOOST_AUTO_TEST_CASE(a_pipe_is_refused_without_waiting) {
    const TemporaryDirectory folder;
    BOOST_REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
    BOOST_CHECK_EXCEPTION(read_file(folder / "pipe"), FileError,
                          message_contains({"a pipe", "an ordinary file"}));
}

BOOST_AUTO_TEST_CASE(a_file_over_one_gibibyte_is_refused) {
    const TemporaryDirectory folder;
    const fs::path file = folder.write("large", "");
    fs::resize_file(file, kMaxFileBytes + 1);
    BOOST_CHECK_EXCEPTION(read_file(file), FileError, message_contains({"1073741825 bytes", "1 GiB"}));
}

BOOST_AUTO_TEST_CASE(a_file_without_permission_is_unreadable, *utf::precondition(NotRoot())) {
    const TemporaryDirectory folder;
    const fs::path file = folder.write("secret", "x");
    fs::permissions(file, fs::perms::none);
    BOOST_CHECK_EXCEPTION(read_file(file), FileError,
                          message_contains({"cannot be opened", "Permission denied"}));
}

BOOST_AUTO_TEST_CASE(a_read_that_fails_is_reported, *utf::precondition(HasProc())) {
    BOOST_CHECK_EXCEPTION(read_file("/proc/self/mem"), FileError,
                          message_contains({"cannot be read", "/proc/self/mem"}));
}

BOOST_AUTO_TEST_CASE(a_file_with_more_bytes_than_its_size_is_reported, *utf::precondition(HasProc())) {
    BOOST_CHECK_EXCEPTION(read_file("/proc/self/status"), FileError, message_contains({"changed its size"}));
}

BOOST_AUTO_TEST_CASE(a_temporary_directory_is_removed_with_its_contents) {
    fs::path path;
    {
        const TemporaryDirectory folder;
        path = folder.path();
        fs::create_directory(folder / "inner");
        folder.write("inner/file", "x");
        BOOST_TEST(path != TemporaryDirectory().path());
        BOOST_TEST(fs::exists(path / "inner" / "file"));
    }
    BOOST_TEST(!fs::exists(path));
}

BOOST_AUTO_TEST_SUITE_END()
