// Temporary directories are private, and those of dead processes are removed by the next one.

#include "datasets/files/temporary_directory.h"

#include <csignal>
#include <cstdlib>
#include <string>

#include <boost/test/unit_test.hpp>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace attn::data {
namespace {

BOOST_AUTO_TEST_SUITE(temporary_directory)

namespace fs = std::filesystem;

/// While it lives, temporary directories are made in a folder of their own.
class OwnTmpdir {
  public:
    OwnTmpdir() : before_(std::getenv("TMPDIR") == nullptr ? "" : std::getenv("TMPDIR")) {
        setenv("TMPDIR", folder_.path().c_str(), 1);
    }
    ~OwnTmpdir() {
        if (before_.empty())
            unsetenv("TMPDIR");
        else
            setenv("TMPDIR", before_.c_str(), 1);
    }
    OwnTmpdir(const OwnTmpdir&) = delete;
    OwnTmpdir& operator=(const OwnTmpdir&) = delete;
    const fs::path& path() const { return folder_.path(); }

  private:
    TemporaryDirectory folder_;
    std::string before_;
};

std::size_t entries(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

/// Makes a directory in a process that is killed before it can remove it.
void abandon_a_directory() {
    const pid_t child = fork();
    if (child == 0) {
        const TemporaryDirectory folder;
        fs::create_directories(folder / "a/b");
        folder.write("a/b/secret.cpp", "x");
        raise(SIGKILL);
    }
    waitpid(child, nullptr, 0);
}

BOOST_AUTO_TEST_CASE(only_its_user_can_enter_it) {
    const mode_t before = umask(0);
    const TemporaryDirectory folder;
    umask(before);
    struct stat status {};
    BOOST_REQUIRE(stat(folder.path().c_str(), &status) == 0);
    BOOST_TEST((status.st_mode & 0777) == 0700U);
    BOOST_TEST(status.st_uid == geteuid());
}

BOOST_AUTO_TEST_CASE(it_ends_with_its_owner) {
    const OwnTmpdir own;
    {
        TemporaryDirectory first;
        const TemporaryDirectory second(std::move(first));
        second.write("file", "x");
        BOOST_TEST(entries(own.path()) == 1U);
    }
    BOOST_TEST(entries(own.path()) == 0U);
}

BOOST_AUTO_TEST_CASE(directories_of_dead_processes_are_removed_and_others_stay) {
    const OwnTmpdir own;
    const TemporaryDirectory alive;
    alive.write("file", "x");
    for (const char* foreign : {"attention_lab-12345", "attention_lab-1234567", "another-123456"})
        fs::create_directory(own.path() / foreign);
    const TemporaryDirectory target;
    fs::create_directory_symlink(target.path(), own.path() / "attention_lab-abcdef");
    abandon_a_directory();
    abandon_a_directory();
    BOOST_TEST(entries(own.path()) == 8U);
    remove_abandoned_directories();
    BOOST_TEST(entries(own.path()) == 6U);
    BOOST_TEST(fs::exists(alive / "file"));
    BOOST_TEST(fs::exists(target.path()));
}

BOOST_AUTO_TEST_CASE(a_directory_of_another_user_stays, *boost::unit_test::precondition([](auto) {
                         return boost::test_tools::assertion_result(geteuid() == 0);
                     })) {
    const OwnTmpdir own;
    const fs::path foreign = own.path() / "attention_lab-abcdef";
    fs::create_directory(foreign);
    constexpr uid_t kNobody = 65534;
    BOOST_REQUIRE(chown(foreign.c_str(), kNobody, kNobody) == 0);
    remove_abandoned_directories();
    BOOST_TEST(fs::exists(foreign));
}

/// Directories that are new while others are swept are never lost.
BOOST_AUTO_TEST_CASE(sweeping_and_making_directories_at_the_same_time) {
    const OwnTmpdir own;
    const pid_t child = fork();
    if (child == 0)
        for (;;) remove_abandoned_directories();
    int lost = 0;
    for (int k = 0; k < 300; ++k) {
        const TemporaryDirectory folder;
        lost += fs::exists(folder.path()) ? 0 : 1;
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    BOOST_TEST(lost == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::data
