// Where code ends the process by itself, for the parent to find the line.

#include <cstdlib>
#include <utility>

#include <sys/syscall.h>
#include <unistd.h>

#include "grader/worker/watched/watched_code.h"

namespace attn::worker {
namespace {

void (*send_trace_of_end)(const char* trace) = nullptr;

void process_ends() {
    if (send_trace_of_end != nullptr) std::exchange(send_trace_of_end, nullptr)(trace_here());
}

}  // namespace

void trace_end_of_process(void (*send)(const char* trace)) {
    send_trace_of_end = send;
    std::atexit(process_ends);
    std::at_quick_exit(process_ends);
}

}  // namespace attn::worker

// These two run no handlers. A library finds these functions instead of those of the C library.
extern "C" {

void _exit(int status) {
    attn::worker::process_ends();
    for (;;) syscall(SYS_exit_group, status);
}

void _Exit(int status) noexcept {
    _exit(status);
}

}  // extern "C"
