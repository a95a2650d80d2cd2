#pragma once
/// A watched library is compiled with debug information and with a call before each access to memory
/// (watched_flags() in compile/compile_sandbox.h). A call that failed is repeated once with it, to learn the
/// line. This file answers the calls: it knows the arrays of the call, the buffers of the guarded heap, local
/// and global arrays. The first access outside of them ends the process with a reply. It also keeps the
/// addresses on the stack of an exception that is thrown.

#include <cstddef>
#include <cstdint>

#include "grader/worker/protocol.h"

namespace attn::worker {

/// What was found. With a text it is a sentence; without one the parent describes the address.
struct WatchedAccess {
    std::uint64_t address = 0;
    Access access = Access::unknown;
    const char* text = "";
};

/// Starts watching. `report` is called once, with the first finding, and must not return. `stack_top`: of the
/// first thread. Does nothing for code that makes no such calls.
void begin_watching(std::uint64_t stack_top, std::uint64_t stack_bytes,
                    void (*report)(const WatchedAccess& found));

/// The arrays of the call that runs; null when it has returned.
void watch_arrays(const Request* request);

/// Writes the addresses on the stack, innermost first, as "@{LIBRARY+0xOFFSET}@{..}", and returns the text.
/// Only those in libraries that were opened by descriptor are written. A "!" before them says that a signal
/// came elsewhere, in a function that they called. May be called from a signal handler.
const char* trace_here();

/// The same, and then the calls that have not returned, outermost first, as "#1,7,8": each call of a function
/// of the submission has a number of its own.
const char* trace_with_calls();

/// As trace_here(), for the last exception that was thrown. Empty if none was.
const char* trace_of_last_throw();

/// Where timed code is, every millisecond, while `in_a_call` is true: `send` gets the trace. `begin_sampling`
/// needs system calls that a submission may not make; the first signal comes after `let_samples_come`.
void begin_sampling(void (*send)(const char* trace));
void let_samples_come();
extern volatile bool in_a_call;

/// From now on calls `send` with the trace if code ends the process by itself: by exit(), _exit() and the
/// like. A library that is loaded later has its own handlers called first.
void trace_end_of_process(void (*send)(const char* trace));

}  // namespace attn::worker
