#include "datasets/files/replacement.h"

#include <csignal>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>

#include <boost/test/unit_test.hpp>
#include <sys/resource.h>
#include <sys/stat.h>

#include "datasets/files/file_error.h"
#include "datasets/files/message_contains.h"
#include "datasets/files/temporary_directory.h"

using attn::data::FileError;
using attn::data::message_contains;
using attn::data::read_file;
using attn::data::Replacement;
using attn::data::TemporaryDirectory;
namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(replacement)

namespace {

void write_whole(const fs::path& path, const std::string& bytes) {
    Replacement file(path);
    file.write(bytes.data(), bytes.size());
    file.commit();
}

std::ptrdiff_t entries(const TemporaryDirectory& folder) {
    return std::distance(fs::directory_iterator(folder.path()), {});
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_new_file_replaces_the_old_one) {
    const TemporaryDirectory folder;
    write_whole(folder / "x", "old");
    write_whole(folder / "x", "new");
    BOOST_TEST(read_file(folder / "x") == "new");
    BOOST_TEST(entries(folder) == 1);
}

BOOST_AUTO_TEST_CASE(without_commit_nothing_changes) {
    const TemporaryDirectory folder;
    write_whole(folder / "x", "old");
    { Replacement(folder / "x").write("new", 3); }
    BOOST_TEST(read_file(folder / "x") == "old");
    BOOST_TEST(entries(folder) == 1);
}

BOOST_AUTO_TEST_CASE(a_missing_folder_is_reported) {
    const TemporaryDirectory folder;
    const fs::path file = folder / "missing" / "x";
    BOOST_CHECK_EXCEPTION(
        write_whole(file, "new"), FileError,
        message_contains({file.string(), "cannot be written", "No such file or directory"}));
}

BOOST_AUTO_TEST_CASE(only_ordinary_files_are_replaced) {
    const TemporaryDirectory folder;
    fs::create_directory(folder / "directory");
    BOOST_REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
    for (const std::string name : {"directory", "pipe"})
        BOOST_CHECK_EXCEPTION(
            write_whole(folder / name, "new"), FileError,
            message_contains({name, "cannot be written (it is a directory, a pipe or a device)"}));
    BOOST_TEST(fs::is_directory(folder / "directory"));
    BOOST_TEST(fs::is_fifo(folder / "pipe"));
    BOOST_TEST(entries(folder) == 2);
}

BOOST_AUTO_TEST_CASE(a_full_disk_leaves_the_old_file_and_nothing_else) {
    const TemporaryDirectory folder;
    write_whole(folder / "x", "old");

    // A limit of the file size simulates a full disk. A short text reaches the limit only when the file is
    // closed.
    for (const std::size_t size : {std::size_t{1200}, std::size_t{400000}}) {
        rlimit before{};
        BOOST_REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
        const auto handler = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit small{1000, before.rlim_max};
        BOOST_REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
        std::string message;
        try {
            write_whole(folder / "x", std::string(size, 'x'));
        } catch (const FileError& error) {
            message = error.what();
        }
        setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, handler);
        BOOST_TEST(message.find("cannot be written (File too large)") != std::string::npos, size << message);
    }

    BOOST_TEST(read_file(folder / "x") == "old");
    BOOST_TEST(entries(folder) == 1);
}

BOOST_AUTO_TEST_SUITE_END()
