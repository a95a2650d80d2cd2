#pragma once
/// What can become of a check. A student's failure is one of these values; a fault of the grader is an
/// exception.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace attn {

enum class Outcome {
    passed,
    wrong,            ///< finite numbers, but not the right ones
    not_finite,       ///< NaN or infinity where a number is due
    not_implemented,  ///< nothing was written into the output
    partly_written,   ///< some elements of the output were left as they were
    missing,          ///< the library has no function of this name and type
    not_compiled,
    crashed,        ///< a signal: segmentation fault, abort, division by zero, stack overflow
    out_of_bounds,  ///< read or wrote outside of an array, which and where is known
    changed_input,  ///< wrote to an array that it may only read
    threw,          ///< an exception left the function
    kernel_error,   ///< a CUDA kernel did what none may: an illegal address, a race, a bad launch
    exited,         ///< the process ended by itself
    timed_out,
    out_of_memory,
    too_much_output,    ///< printed more than the limit
    forbidden,          ///< tried what the sandbox does not allow
    not_deterministic,  ///< the same call gave other bits the second time
    slow,               ///< right, but it takes longer, or grows faster, than what earns all points
    too_fast,           ///< right numbers in less time than any processor of this kind needs for them
    too_many_threads,
    skipped,  ///< not run, and why is said
};

inline constexpr std::array kOutcomeNames{
    "passed",       "wrong",     "not_finite",       "not_implemented", "partly_written", "missing",
    "not_compiled", "crashed",   "out_of_bounds",    "changed_input",   "threw",          "kernel_error",
    "exited",       "timed_out", "out_of_memory",    "too_much_output", "forbidden",      "not_deterministic",
    "slow",         "too_fast",  "too_many_threads", "skipped"};

static_assert(kOutcomeNames.size() == static_cast<std::size_t>(Outcome::skipped) + 1);

/// "not_implemented": the name in files.
constexpr std::string_view name_of(Outcome outcome) {
    return kOutcomeNames[static_cast<std::size_t>(outcome)];
}

/// "not implemented": the name for people.
inline std::string in_words(Outcome outcome) {
    std::string text(name_of(outcome));
    for (char& c : text) c = c == '_' ? ' ' : c;
    return text;
}

}  // namespace attn
