#include "grader/worker/interrupt.h"

#include <atomic>
#include <csignal>
#include <initializer_list>
#include <string_view>

#include <unistd.h>

namespace attn::worker {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // required in a signal handler

/// Ends the process, whatever it does. Makes system calls only.
void end_now(int) {
    constexpr std::string_view kText = "\ninterrupted; the next start removes what is left behind.\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kText.data(), kText.size());
    constexpr int kInterrupted = 130;
    _exit(kInterrupted);
}

void remember(int signal) {
    if (interrupted.exchange(true)) end_now(signal);
    alarm(kGraceTime_s);
}

}  // namespace

void install_interrupt_handlers() {
    struct sigaction action {};
    action.sa_handler = remember;  // without SA_RESTART, so that blocking system calls return
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
    action.sa_handler = end_now;
    sigaction(SIGALRM, &action, nullptr);
}

void throw_if_interrupted() {
    if (interrupted) throw Interrupted();
}

}  // namespace attn::worker
