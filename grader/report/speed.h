#pragma once
/// How fast a function is and how its cost grows, as plain values.

#include <string>
#include <vector>

namespace attn::report {

/// A measured number with its 95 % confidence interval.
struct Interval {
    double value = 0, low = 0, high = 0;
};

/// What a share of the points takes, for the reader: "8 times the plain loops earns 60 %".
struct ScaleStep {
    double times_plain = 0, share = 0;
};

/// A function's speed beside the plain loops' and the yardstick's, all of one run. Times are those of one
/// call.
struct Speed {
    std::string sizes;  ///< "B=1 N_q=256 .."
    int threads = 1;
    double yours_ms = 0, plain_ms = 0, yardstick_ms = 0;
    double gflop = 0;  ///< floating-point operations that one call needs, in 1e9; 0 where nobody has counted
    Interval times_plain;      ///< your speed as a multiple of the plain loops'
    Interval times_yardstick;  ///< and of the yardstick's
    std::vector<ScaleStep> scale;
    double share = 0;     ///< of the points, 0 to 1
    bool settled = true;  ///< false: the machine was too noisy within the budget
    int workers = 0;      ///< fresh processes that were measured
    std::string hint;     ///< one thing to try; empty where nothing is left
};

/// How a cost grows with a length N: as N^exponent.
struct Growth {
    std::string what;    ///< "time" or "memory"
    std::string length;  ///< "N_q = N_k"
    std::vector<int> lengths;
    std::vector<double> values;  ///< by length: milliseconds, or MiB beyond the arrays of the call
    Interval exponent;
    double allowed = 0;
};

}  // namespace attn::report
