#include "grader/worker/interrupt.h"

#include <atomic>
#include <csignal>
#include <initializer_list>

namespace attn::worker {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // required in a signal handler

void remember(int) {
    interrupted = true;
}

}  // namespace

void install_interrupt_handlers() {
    struct sigaction action {};
    action.sa_handler = remember;  // without SA_RESTART, so that blocking system calls return
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

void throw_if_interrupted() {
    if (interrupted) throw Interrupted();
}

}  // namespace attn::worker
