// Faults are recorded as the kernel reports them, whatever the process does.

#include "grader/sandbox/trace.h"

#include <csignal>
#include <functional>

#include <boost/test/unit_test.hpp>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace attn::worker {
namespace {

BOOST_AUTO_TEST_SUITE(trace)

/// Runs `work` in a traced child until it ends. Returns its status as waitpid() does.
int run_traced(Trace& trace, const std::function<void()>& work) {
    int go[2];
    BOOST_REQUIRE(pipe(go) == 0);
    const pid_t child = fork();
    if (child == 0) {
        char word = 0;
        close(go[1]);
        [[maybe_unused]] const ssize_t got = read(go[0], &word, 1);
        work();
        _exit(0);
    }
    BOOST_REQUIRE(trace.begin(child));
    close(go[1]);
    close(go[0]);
    siginfo_t ended{};
    for (int k = 0; k < 5000 && ended.si_pid != child; ++k) {
        trace.handle_stops();
        waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT);
        usleep(1000);
    }
    BOOST_REQUIRE(ended.si_pid == child);
    int status = -1;
    waitpid(child, &status, __WALL);
    return status;
}

/// Removes the signal handlers of Boost.Test.
void restore_default_handlers() {
    for (const int signal : {SIGSEGV, SIGFPE, SIGABRT, SIGUSR1, SIGTRAP}) std::signal(signal, SIG_DFL);
    alarm(0);
}

BOOST_AUTO_TEST_CASE(the_address_of_a_fault_is_recorded) {
    Trace trace;
    const int status = run_traced(trace, [] {
        restore_default_handlers();
        *reinterpret_cast<volatile int*>(0x12340) = 1;
    });
    BOOST_TEST(WIFSIGNALED(status));
    const auto fault = trace.take_fault();
    BOOST_REQUIRE(fault.has_value());
    BOOST_TEST(fault->signal == SIGSEGV);
    BOOST_TEST(fault->address == 0x12340U);
    BOOST_TEST(!fault->on_stack);
    BOOST_TEST(!trace.take_fault().has_value());
}

BOOST_AUTO_TEST_CASE(a_signal_handler_does_not_hide_a_fault) {
    Trace trace;
    const int status = run_traced(trace, [] {
        std::signal(SIGSEGV, [](int) { _exit(0); });
        *reinterpret_cast<volatile int*>(0x12340) = 1;
    });
    const auto fault = trace.take_fault();
    BOOST_TEST(status == 0, "waitpid() gave the status "
                                << status << ", and " << (fault ? "a fault" : "no fault") << " was recorded");
    BOOST_REQUIRE(fault.has_value());
}

BOOST_AUTO_TEST_CASE(a_signal_sent_by_a_process_is_not_a_fault) {
    Trace trace;
    const int status = run_traced(trace, [] {
        restore_default_handlers();
        raise(SIGSEGV);
    });
    BOOST_TEST((WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV));
    BOOST_TEST(!trace.take_fault().has_value());
}

BOOST_AUTO_TEST_CASE(a_child_that_stops_itself_is_continued) {
    Trace trace;
    const int status = run_traced(trace, [] {
        raise(SIGSTOP);
        _exit(17);
    });
    BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 17));
}

BOOST_AUTO_TEST_CASE(a_stack_overflow_is_recognized) {
    Trace trace;
    run_traced(trace, [] {
        static unsigned char other_stack[1 << 16];
        stack_t away{};
        sigaltstack(&away, nullptr);
        restore_default_handlers();
        (void)other_stack;
        std::function<int(int)> endless = [&endless](int depth) {
            volatile char frame[4096];
            frame[0] = static_cast<char>(depth);
            return endless(depth + 1) + frame[0];
        };
        endless(0);
    });
    const auto fault = trace.take_fault();
    BOOST_REQUIRE(fault.has_value());
    BOOST_TEST(fault->signal == SIGSEGV);
    BOOST_TEST(fault->on_stack);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::worker
