#pragma once
/// What a call or a check ended with, and where it failed. A student's failure is one of these values; a fault of the grader
/// is an exception.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

enum class Outcome {
    passed,
    wrong,            ///< finite, but wrong numbers
    not_finite,       ///< NaN or infinity where a number is expected
    not_implemented,  ///< nothing was written into the output
    partly_written,   ///< some elements of the output were not written
    missing,          ///< the library has no function of this name and type
    not_compiled,
    crashed,        ///< a signal: segmentation fault, abort, division by zero, stack overflow
    out_of_bounds,  ///< read or wrote outside an array; the message names the array and element
    changed_input,  ///< wrote to an input
    threw,          ///< an exception left the function
    kernel_error,   ///< a mistake in a CUDA kernel: an illegal address, a race, a bad launch
    exited,         ///< ended its process
    timed_out,
    out_of_memory,
    too_much_output,    ///< printed more than the limit
    forbidden,          ///< tried something that the sandbox does not allow
    not_deterministic,  ///< the same call gave different bits the second time
    slow,               ///< right, but too slow for all points, or its time or memory grows too fast
    too_fast,           ///< right numbers in less time than a processor of this kind needs to compute them
    too_many_threads,
    over_budget,  ///< not run: the time for the assignment as a whole was used up
    skipped,      ///< not run; the message says why
};

inline constexpr std::array kOutcomeNames{
    "passed",       "wrong",     "not_finite",       "not_implemented", "partly_written", "missing",
    "not_compiled", "crashed",   "out_of_bounds",    "changed_input",   "threw",          "kernel_error",
    "exited",       "timed_out", "out_of_memory",    "too_much_output", "forbidden",      "not_deterministic",
    "slow",         "too_fast",  "too_many_threads", "over_budget",     "skipped"};

static_assert(kOutcomeNames.size() == static_cast<std::size_t>(Outcome::skipped) + 1);

/// The name in files: "not_implemented".
constexpr std::string_view name_of(Outcome outcome) {
    return kOutcomeNames[static_cast<std::size_t>(outcome)];
}

/// The name in messages: "not implemented".
inline std::string in_words(Outcome outcome) {
    std::string text(name_of(outcome));
    for (char& c : text) c = c == '_' ? ' ' : c;
    return text;
}

struct SourceLine {
    std::string file;  ///< relative to the submission
    int line = 0;
    std::string function;  ///< "softmax"
    std::string text;      ///< the line itself
};

struct SourceTrace {
    std::string what;               ///< a sentence, if more is known than the outcome's message says
    std::vector<SourceLine> lines;  ///< innermost first, then its callers
};

}  // namespace attn
