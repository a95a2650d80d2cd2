#include "grader/worker/interrupt.h"

#include <csignal>
#include <initializer_list>

namespace attn::worker {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void remember(int) {
    interrupted = 1;
}

}  // namespace

void watch_interrupts() {
    struct sigaction action {};
    action.sa_handler = remember;  // without SA_RESTART: waiting calls return
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

void throw_if_interrupted() {
    if (interrupted != 0) throw Interrupted();
}

}  // namespace attn::worker
