#pragma once
/// The measured speed of a function and the growth of its cost, as plain values.

#include <optional>
#include <string>
#include <vector>

namespace attn::report {

/// A measured number with its 95 % confidence interval.
struct Interval {
    double value = 0, low = 0, high = 0;
};

/// A step of the points scale: "8 times the plain loops earns 60 %".
struct ScaleStep {
    double times_plain = 0, share = 0;
};

/// How the code that is timed was compiled.
struct TimedBuild {
    std::string command;      ///< "g++ -std=c++20 -O3 -march=x86-64-v3 .. -c self_attention.cpp"
    std::string vector_unit;  ///< of the student's code, the plain loops and the yardstick: "AVX2"
    std::string allowed;      ///< what the student's code may use, as a list
};

/// The speed of a function, of the plain loops and of the yardstick, measured in the same run. Times are for
/// one call.
struct Speed {
    std::string sizes;  ///< "B=1 N_q=256 .."
    int threads = 1;
    double yours_ms = 0, plain_ms = 0, yardstick_ms = 0;
    double gflop = 0;          ///< floating-point operations of one call, in 1e9; 0 if not known
    Interval times_plain;      ///< the student's speed as a multiple of the plain loops' speed
    Interval times_yardstick;  ///< and of the yardstick's speed
    std::vector<ScaleStep> scale;
    double share = 0;     ///< share of the points, 0 to 1
    bool settled = true;  ///< false: the machine was too noisy to measure precisely within the time limit
    int workers = 0;      ///< number of fresh processes that were measured
    std::string hint;     ///< one improvement to try; may be empty
    TimedBuild build;     ///< empty in reports of earlier versions
};

/// The plain loops' cost, measured in the same run as the student's.
struct PlainGrowth {
    std::vector<double> values;  ///< for each length, in the same unit as the student's
    Interval exponent;
    Interval above;         ///< the student's exponent minus the plain loops'
    Interval times_plain;   ///< the student's cost at the last length, as a multiple of the plain loops'
    double most_times = 0;  ///< the largest allowed multiple at the last length
};

/// The plain loops' memory, measured in the same run as the student's.
struct PlainMemory {
    std::vector<double> values;  ///< for each length, in MiB
    Interval more;               ///< how much more the student takes at the last length, in MiB
    double most_more = 0;        ///< the largest allowed difference at the last length
};

/// How a cost grows with a length N: as N^exponent.
struct Growth {
    std::string what;    ///< "time" or "memory"
    std::string length;  ///< "N_q = N_k"
    std::vector<int> lengths;
    /// For each length: milliseconds, or MiB of memory in addition to the arrays of the call and to what the
    /// plain loops' process takes before the call.
    std::vector<double> values;
    Interval exponent;
    /// The largest allowed exponent. With `plain` the largest allowed difference of the two exponents.
    double allowed = 0;
    std::optional<PlainGrowth> plain = {};         ///< of time; empty in reports of earlier versions
    std::optional<PlainMemory> plain_memory = {};  ///< of memory; empty in reports of earlier versions
};

/// Whether the cost grows faster than allowed. The interval's better end counts. True for NaN.
inline bool grows_too_fast(const Growth& growth) {
    return !((growth.plain ? growth.plain->above : growth.exponent).low <= growth.allowed);
}

/// Whether the time at the last length is too long beside the plain loops. True for NaN.
inline bool takes_too_long(const Growth& growth) {
    return growth.plain && !(growth.plain->times_plain.low <= growth.plain->most_times);
}

/// Whether the memory at the last length is too much beside the plain loops. True for NaN.
inline bool takes_too_much_memory(const Growth& growth) {
    return growth.plain_memory && !(growth.plain_memory->more.low <= growth.plain_memory->most_more);
}

}  // namespace attn::report
