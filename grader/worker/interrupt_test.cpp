// A signal ends the grader within seconds, whatever it does.

#include "grader/worker/interrupt.h"

#include <chrono>
#include <csignal>

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace attn::worker {
namespace {

BOOST_AUTO_TEST_SUITE(interrupt)

/// A process that looks at nothing while these signals arrive: its exit code, and how long it took to end.
struct Ended {
    int exit_code = -1;
    double seconds = 0;
};

Ended busy_process_that_gets(int first, int second) {
    const auto start = std::chrono::steady_clock::now();
    const pid_t child = fork();
    if (child == 0) {
        dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
        install_interrupt_handlers();
        raise(first);
        if (second != 0) raise(second);
        for (;;) getpid();
    }
    Ended ended;
    constexpr double kMost_s = 30;
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        ended.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (ended.seconds > kMost_s) kill(child, SIGKILL);
        usleep(1000);
    }
    if (WIFEXITED(status)) ended.exit_code = WEXITSTATUS(status);
    return ended;
}

BOOST_AUTO_TEST_CASE(a_busy_process_ends_two_seconds_after_the_signal) {
    for (const int signal : {SIGTERM, SIGINT}) {
        const Ended ended = busy_process_that_gets(signal, 0);
        BOOST_TEST(ended.exit_code == 130);
        BOOST_TEST(ended.seconds > kGraceTime_s - 1.0);  // it has the time to clean up
        BOOST_TEST(ended.seconds < kGraceTime_s + 3.0);
    }
}

BOOST_AUTO_TEST_CASE(a_second_signal_ends_it_at_once) {
    const Ended ended = busy_process_that_gets(SIGINT, SIGTERM);
    BOOST_TEST(ended.exit_code == 130);
    BOOST_TEST(ended.seconds < 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::worker
