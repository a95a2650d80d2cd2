// Where timed code spends its time.

#include <csignal>

#include <sys/time.h>

#include "grader/worker/watched/watched_code.h"

namespace attn::worker {
namespace {

void (*send_sample)(const char* trace) = nullptr;

void take_sample(int) {
    if (in_a_call) send_sample(trace_here());
}

sigset_t of_the_timer() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGALRM);
    return signals;
}

}  // namespace

volatile bool in_a_call = false;

void begin_sampling(void (*send)(const char* trace)) {
    send_sample = send;
    trace_here();  // the first use of the unwinder loads what it needs
    const sigset_t signals = of_the_timer();
    sigprocmask(SIG_BLOCK, &signals, nullptr);
    struct sigaction action {};
    action.sa_handler = take_sample;
    action.sa_flags = SA_ONSTACK | SA_RESTART;
    sigaction(SIGALRM, &action, nullptr);
    constexpr itimerval kEveryMillisecond = {{0, 1000}, {0, 1000}};
    setitimer(ITIMER_REAL, &kEveryMillisecond, nullptr);
}

void let_samples_come() {
    const sigset_t signals = of_the_timer();
    sigprocmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace attn::worker
