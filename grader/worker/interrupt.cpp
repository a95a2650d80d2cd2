#include "grader/worker/interrupt.h"

#include <atomic>
#include <csignal>
#include <initializer_list>

namespace attn::worker {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a handler may set it

void remember(int) {
    interrupted = true;
}

}  // namespace

void watch_interrupts() {
    struct sigaction action {};
    action.sa_handler = remember;  // without SA_RESTART: waiting calls return
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

void throw_if_interrupted() {
    if (interrupted) throw Interrupted();
}

}  // namespace attn::worker
