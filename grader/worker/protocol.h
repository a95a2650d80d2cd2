#pragma once
/// What parent and worker say to each other: messages of fixed size over a SOCK_SEQPACKET socket, one
/// Request, one Reply. Numbers never travel in them: arrays lie in two shared memories, inputs (which the
/// worker can only read) and outputs. The parent chooses every address, so that it can name a fault without
/// trusting the worker.

#include <cstdint>

#include "assignments/call.h"

namespace attn::worker {

/// Descriptors that the worker finds open. The libraries come last: the table of exports, then, in the order
/// in which they are searched, those ahead of the student's, then the student's. Its one word on the command
/// line says how it is to put its system calls away: kFilteredButThreads where it may start threads.
enum Descriptor { kSocket = 3, kInputMemory = 4, kOutputMemory = 5, kFirstLibrary = 6 };
inline constexpr const char *kFiltered = "filtered", *kFilteredButThreads = "filtered but threads",
                            *kUnfiltered = "unfiltered";
/// A second word, for a student's kernels: the library ahead of all others is the emulator of the GPU that
/// they run on. It is the grader's own and prepares itself, by calls that a submission may not make.
inline constexpr const char* kEmulated = "emulated";

inline constexpr std::uint32_t kMagic = 0x41744c62;
inline constexpr int kMaxArguments = 48;
inline constexpr std::uint64_t kPage = 4096;

/// Untouched outputs hold these bits, a signalling NaN. Arithmetic with it makes kReadPoison, the same one
/// quiet.
inline constexpr std::uint32_t kPoison = 0x7f85a5a5, kReadPoison = kPoison | 0x00400000;

/// One argument and, for a tensor, the pages it lies on: `pages` of them from `offset` of its memory are to
/// be mapped at `address`, between two unreadable pages. argument.data points into them.
struct WireArgument {
    Argument argument;
    std::uint64_t address = 0;
    std::uint64_t offset = 0;
    std::uint64_t pages = 0;
    std::int32_t output = 0;
    std::int32_t writable = 0;
    std::int32_t guarded = 1;
    std::int32_t populated = 0;  ///< its pages are fetched before the function runs
};

/// What a request asks for: a call as a whole or, where time is taken, calls one step at a time, so that what
/// is timed is little else than the function.
enum class Step : std::int32_t {
    whole,     ///< map the arrays, call the function, unmap them
    prepare,   ///< map the arrays and remember the call
    run,       ///< call what is remembered, in that order: one answer for all
    rehearse,  ///< the same without calling anything
    release,   ///< unmap the arrays of what is remembered, and forget it
};

/// That can be remembered at a time.
inline constexpr int kMostCalls = 32;

struct Request {
    std::uint32_t magic = kMagic;
    std::uint32_t call = 0;
    Step step = Step::whole;
    char function[64] = {};
    std::int32_t count = 0;
    WireArgument arguments[kMaxArguments];
};

enum class Said : std::int32_t {
    ready,
    load_failed,
    done,
    missing,
    threw,
    refused,  ///< std::invalid_argument
    index_error,
    kernel_error,
    out_of_memory,
    fault
};
enum class Access : std::int32_t { unknown, read, write };

/// Only `done` earns anything, and that only if the outputs are right. The rest is believed as far as a
/// message to the student who sent it.
struct Reply {
    std::uint32_t magic = kMagic;
    std::uint32_t call = 0;
    Said said = Said::done;
    std::int32_t signal = 0;          ///< of a fault
    Access access = Access::unknown;  ///< of a fault
    std::int32_t on_stack = 0;        ///< the fault lies where the stack would have grown
    std::uint64_t address = 0;  ///< of a fault; start of the view of an index error; of SIGSYS the number
    char text[800] = {};        ///< an exception's what(), the loader's message
};

}  // namespace attn::worker
