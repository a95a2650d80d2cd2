#pragma once
/// The protocol between parent and worker: messages of fixed size over a SOCK_SEQPACKET socket, one Reply for
/// each Request. Messages carry no numbers of arrays. Arrays are in two shared memories: inputs, which the
/// worker can only read, and outputs. The parent chooses every address, so that it can describe a fault
/// without trusting the worker.

#include <csignal>
#include <cstdint>

#include "assignments/call.h"
#include "grader/sandbox/system_calls.h"

namespace attn::worker {

/// The first argument of the worker says how it filters its own system calls: kFilteredButThreads allows threads.
inline constexpr const char *kFiltered = "filtered", *kFilteredButThreads = "filtered but threads",
                            *kUnfiltered = "unfiltered";
/// The second argument, for kernels: the first library before the student's is the GPU emulator. The emulator
/// is part of the grader, and its setup makes system calls that a submission may not make, so it is loaded
/// first.
inline constexpr const char* kEmulated = "emulated";
/// The second argument, for a library that is compiled with checks of every access: see
/// watched/watched_code.h.
inline constexpr const char* kWatched = "watched";
/// The second argument, for timed code with debug information: the worker sends a trace every millisecond.
inline constexpr const char* kSampled = "sampled";
/// A watched worker answers this signal with a trace, and goes on.
inline constexpr int kAsksForTrace = SIGUSR1;

/// As the first argument: print the paths of the loaded files, one a line, and end. See loaded_files.h.
inline constexpr const char* kListsLoadedFiles = "loaded files";

inline constexpr std::uint32_t kMagic = 0x41744c62;
inline constexpr int kMaxArguments = 64;
inline constexpr std::uint64_t kPage = 4096;

/// Elements that were not written hold these bits, a signalling NaN. Arithmetic with it gives kReadPoison,
/// the quiet NaN with the same payload.
inline constexpr std::uint32_t kPoison = 0x7f85a5a5, kReadPoison = kPoison | 0x00400000;
/// The same for memory that the student's function allocated.
inline constexpr std::uint32_t kHeapPoison = 0x7f865a5a, kReadHeapPoison = kHeapPoison | 0x00400000;

/// One argument and, for a tensor, its pages: the worker maps `pages` pages, from `offset` of the memory, at
/// `address`, between two unreadable pages. argument.data points into them.
struct WireArgument {
    Argument argument;
    std::uint64_t address = 0;
    std::uint64_t offset = 0;
    std::uint64_t pages = 0;
    std::int32_t output = 0;
    std::int32_t writable = 0;
    std::int32_t guarded = 1;
    std::int32_t populated = 0;  ///< the pages are loaded before the function runs
};

/// What a request asks for. An ordinary call is one step. Timed calls have several steps, so that little else
/// than the function is timed.
enum class Step : std::int32_t {
    whole,     ///< map the arrays, call the function, unmap them
    prepare,   ///< map the arrays and remember the call, without running it
    run,       ///< run all remembered calls in order, with one reply
    rehearse,  ///< reply as for `run`, without calling any function
    release,   ///< unmap the arrays of all remembered calls, and forget the calls
};

/// The number of calls that can be remembered at a time.
inline constexpr int kMostCalls = 32;

struct Request {
    std::uint32_t magic = kMagic;
    std::uint32_t call = 0;
    Step step = Step::whole;
    std::int32_t starts_at_guard =
        0;  ///< which side of arrays and of the heap's buffers is at an unreadable page
    char function[64] = {};
    std::int32_t count = 0;
    WireArgument arguments[kMaxArguments];
};

enum class ReplyKind : std::int32_t {
    filtered,  ///< with a descriptor: the grader decides about system calls there (sandbox/call_decisions.h)
    ready,
    load_failed,
    done,
    missing,
    threw,
    refused,  ///< std::invalid_argument
    index_error,
    heap_error,  ///< something was written beside a buffer of the heap
    finding,     ///< of the emulator, sent at once; the reply follows
    trace,       ///< of a watched or sampled library: the addresses on the stack; the reply follows
    out_of_memory,
    fault
};
enum class Access : std::int32_t { unknown, read, write };

/// The student's code can forge a reply. Only `done` can earn points, and only if the outputs are right. The
/// other kinds only lead to a message for the student.
struct Reply {
    std::uint32_t magic = kMagic;
    std::uint32_t call = 0;
    ReplyKind kind = ReplyKind::done;
    std::int32_t signal = 0;          ///< of a fault
    Access access = Access::unknown;  ///< of a fault
    std::int32_t on_stack = 0;        ///< whether the address is where the stack would have grown
    std::uint64_t address = 0;        ///< of a fault or of an index error's view; for SIGSYS the number
    char text[800] =
        {};  ///< an exception's what(), the loader's message, a fault beside a buffer of the heap
};

}  // namespace attn::worker
