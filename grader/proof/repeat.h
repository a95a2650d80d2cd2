#pragma once
/// Is a mark for speed the same every time? The same submissions are measured again and again, every second
/// time on a machine that is kept busy by others.

#include <string>
#include <vector>

#include "grader/base/installation.h"
#include "grader/proof/selfcheck.h"

namespace attn::proof {

/// One submission's shares of the points, of 100.
struct Repeated {
    std::string name;
    std::vector<double> quiet, busy;  ///< of each grading
    double times_plain = 0;           ///< the median
    std::vector<std::string> faults;  ///< gradings without a mark

    /// Between the best and the worst of all.
    double spread() const;
};

/// What a mark may change by, of 100.
inline constexpr double kMostSpread = 2;

/// Measures plain loops, blocked ones and a fused version of scaled dot-product attention `gradings` times
/// each. While it is busy, as many processes as there are processors walk through memory and compute.
std::vector<Repeated> repeat_speed(const Installation& installation, int gradings, const Progress& progress);

}  // namespace attn::proof
