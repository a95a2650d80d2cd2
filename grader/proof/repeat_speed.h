#pragma once
/// Checks that a mark for speed is repeatable: the same submissions are measured many times, every second
/// time while other processes keep the machine busy.

#include <string>
#include <vector>

#include "grader/base/installation.h"
#include "grader/proof/selfcheck.h"

namespace attn::proof {

/// One submission's shares of the points for speed, from 0 to 100.
struct RepeatedSpeed {
    std::string name;
    std::vector<double> quiet, busy;  ///< the share in each grading
    double times_plain = 0;           ///< the median speed in multiples of the plain loops' speed
    std::vector<std::string> faults;  ///< messages of gradings without a mark

    /// The difference between the best and the worst share.
    double spread() const;
};

/// The largest allowed spread, of 100.
inline constexpr double kMostSpread = 2;

/// Measures plain loops, blocked loops and a fused version of scaled dot-product attention `gradings` times
/// each. A busy machine runs as many processes that compute and read memory as it has processors.
std::vector<RepeatedSpeed> repeat_speed(const Installation& installation, int gradings,
                                        const Progress& progress);

}  // namespace attn::proof
