// Leftovers are found: the control for all tests that find none.

#include "grader/proof/leftovers.h"

#include <algorithm>
#include <csignal>

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#include "datasets/files/temporary_directory.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(leftovers, *boost::unit_test::label("long"))

struct LeftoversFixture {
    data::TemporaryDirectory folder;
    std::string mark = "leftover" + std::to_string(getpid());
    int key = 0x41730000 + getpid() % 0xffff;
    Leftovers leftovers{mark, key, {folder.path()}};

    /// The signs of the leftovers, each once. Removes them and requires that they are gone.
    std::string found() const {
        std::string text;
        for (const auto& [sign, what] : leftovers.look())
            if (text.find(sign) == std::string::npos) text += (text.empty() ? "" : " ") + sign;
        leftovers.remove();
        for (const auto& [sign, what] : leftovers.look())
            BOOST_TEST(sign == "descriptor", sign << ' ' << what);
        return text;
    }
};

/// Runs `act` in a child process and waits for the child, but not for the processes that it started.
template <class Act>
void in_a_child(Act act) {
    const pid_t child = fork();
    if (child == 0) {
        act();
        _exit(0);
    }
    waitpid(child, nullptr, 0);
}

BOOST_AUTO_TEST_CASE(nothing_is_found_where_nothing_was_left) {
    BOOST_TEST(LeftoversFixture().found() == "");
}

BOOST_AUTO_TEST_CASE(a_process_is_found) {
    const LeftoversFixture fixture;
    if (fork() == 0) pause(), _exit(0);
    BOOST_TEST(fixture.found() == "process");
}

BOOST_AUTO_TEST_CASE(a_daemon_is_found) {
    const LeftoversFixture fixture;
    in_a_child([] {
        setsid();
        if (fork() == 0) setsid(), pause();
    });
    BOOST_TEST(fixture.found() == "process");
}

BOOST_AUTO_TEST_CASE(a_file_is_found) {
    for (const char* folder : {"/tmp/", "/dev/shm/"}) {
        const LeftoversFixture fixture;
        close(open((folder + fixture.mark + ".txt").c_str(), O_CREAT | O_WRONLY, 0600));
        BOOST_TEST(fixture.found() == "file");
    }
    const LeftoversFixture fixture;
    fixture.folder.write("any name", "1");
    BOOST_TEST(fixture.found() == "file");
}

BOOST_AUTO_TEST_CASE(named_memory_is_found) {
    const LeftoversFixture fixture;
    close(shm_open(("/" + fixture.mark).c_str(), O_CREAT | O_RDWR, 0600));
    BOOST_TEST(fixture.found() == "file");
}

BOOST_AUTO_TEST_CASE(system_v_objects_are_found) {
    for (const int kind : {0, 1, 2}) {
        const LeftoversFixture fixture;
        in_a_child([&] {
            const int made = kind == 0   ? shmget(fixture.key, 4096, IPC_CREAT | 0600)
                             : kind == 1 ? semget(fixture.key, 1, IPC_CREAT | 0600)
                                         : msgget(fixture.key, IPC_CREAT | 0600);
            if (made < 0) _exit(1);
        });
        BOOST_TEST(fixture.found() == "shared_memory");
    }
}

BOOST_AUTO_TEST_CASE(an_open_descriptor_is_found) {
    const LeftoversFixture fixture;
    const int memory = memfd_create(fixture.mark.c_str(), MFD_CLOEXEC);
    BOOST_TEST(fixture.found() == "descriptor");
    close(memory);
    BOOST_TEST(fixture.found() == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
