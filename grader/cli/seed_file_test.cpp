#include "grader/cli/seed_file.h"

#include <string>

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/message_contains.h"
#include "datasets/files/temporary_directory.h"

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(seed_file)

using data::message_contains;

BOOST_AUTO_TEST_CASE(a_text_is_the_same_seed_on_every_machine) {
    // Computed by another program: FNV-1a and the last step of SplitMix64.
    BOOST_TEST(seed_of("") == 0xf52a15e9a9b5e89bU);
    BOOST_TEST(seed_of("a") == 0x2c0bdbf481420f8U);
    BOOST_TEST(seed_of("0123456789abcdef") == 0x5ff6c45c9b635362U);
    BOOST_TEST(seed_of("0123456789abcdeF") == 0xcf6847d4f45a6122U);
    BOOST_TEST(seed_of("\xff") != seed_of("\x7f"));
}

BOOST_AUTO_TEST_CASE(only_the_first_line_counts) {
    const data::TemporaryDirectory folder;
    const auto seed = [&folder](const std::string& text) {
        return read_seed_file(folder.write("seed.txt", text)).seed;
    };
    for (const char* text : {"0123456789abcdef", "0123456789abcdef\n", "0123456789abcdef \t\r\nmore\n"})
        BOOST_TEST(seed(text) == seed_of("0123456789abcdef"));
    BOOST_TEST(seed(" 0123456789abcdef") == seed_of(" 0123456789abcdef"));
}

BOOST_AUTO_TEST_CASE(a_weak_secret_is_refused_without_being_quoted) {
    const data::TemporaryDirectory folder;
    const std::string file = (folder / "seed.txt").string();
    BOOST_CHECK_EXCEPTION(read_seed_file(file), data::FileError, message_contains({file, "no such file"}));
    BOOST_CHECK_EXCEPTION(read_seed_file(folder.path()), data::FileError,
                          message_contains({"this is a directory"}));
    const auto refuse = [&](const std::string& text, const std::string& found) {
        folder.write("seed.txt", text);
        BOOST_CHECK_EXCEPTION(read_seed_file(file), data::FileError, [&](const data::FileError& error) {
            const std::string said = error.what();
            return message_contains({file, found, "at least 16", "openssl rand -hex 16 > " + file})(error) &&
                   said.find("mellon") == std::string::npos;
        });
    };
    refuse("", "its first line is empty");
    refuse(" \t\n0123456789abcdef\n", "its first line is empty");
    refuse("x\n0123456789abcdef\n", "its first line has 1 character;");
    refuse("mellon789abcdef\n", "its first line has 15 characters;");
}

BOOST_AUTO_TEST_CASE(a_file_that_other_users_can_read_is_noticed) {
    using std::filesystem::perms;
    const data::TemporaryDirectory folder;
    const auto file = folder.write("seed.txt", "0123456789abcdef\n");
    std::filesystem::permissions(file, perms::owner_read);
    BOOST_TEST(!read_seed_file(file).readable_by_all);
    std::filesystem::permissions(file, perms::others_read, std::filesystem::perm_options::add);
    BOOST_TEST(read_seed_file(file).readable_by_all);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
