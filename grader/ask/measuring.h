#pragma once
/// Settings of measurements. The rubric reads them, and the judge measures with them.

#include <string>
#include <utility>
#include <vector>

#include "grader/ask/dims.h"

namespace attn::ask {

/// Shares of the points by speed. Between two steps the share grows with the logarithm of the speed. Below
/// the first step it is proportional to the speed. The whole share is earned at `yardstick` times the
/// yardstick's speed.
struct Scale {
    struct Step {
        double times_plain = 1;  ///< the speed, as a multiple of the plain loops' speed
        double share = 0;        ///< 0 to 1
    };
    std::vector<Step> steps = {{1, 0.2}};  ///< both numbers increase
    double yardstick = 0.5;
};

/// Settings of a measurement of speed.
struct SpeedTerms {
    Scale scale;
    int threads = 1;
    double budget_s = 4;  ///< time for measuring
};

/// The last length of a measurement of time is at least this multiple of the first. Then a memory that is up
/// to three times slower for large arrays changes an exponent by less than half a power:
/// speed/growth_of_costs_test.cpp.
inline constexpr int kLeastSpanOfTime = 16;
/// The same for memory alone, which caches do not change.
inline constexpr int kLeastSpanOfMemory = 4;

/// Settings of a measurement of growth. When a length N grows, the time of a call, and its memory without the
/// arguments, grow as N^exponent.
struct GrowthTerms {
    std::vector<std::string> letters;  ///< these lengths grow together
    std::vector<int> lengths;          ///< at least two (in a rubric three), increasing
    /// Time: how much larger the exponent may be than that of the plain loops on the same machine.
    double time_above_plain = 0;  ///< 0: time is not measured
    double memory = 0;            ///< the exponent that is allowed; 0: memory is not measured
    double budget_s = 2;

    /// All sizes when the growing letters have this length. `fixed`: the sizes of the other letters.
    Sizes sizes_at(Sizes fixed, int length) const {
        for (const std::string& letter : letters) fixed[letter] = length;
        return fixed;
    }
};

}  // namespace attn::ask
