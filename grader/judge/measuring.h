#pragma once
/// Settings of measurements. The rubric reads them, and the judge measures with them.

#include <string>
#include <utility>
#include <vector>

#include "grader/ask/dims.h"
#include "grader/judge/scale.h"

namespace attn::judge {

/// Settings of a measurement of speed.
struct SpeedTerms {
    Scale scale;
    int threads = 1;
    double budget_s = 4;  ///< time for measuring
};

/// Settings of a measurement of growth. When a length N grows, the time of a call, and its memory without the
/// arguments, may grow at most as N^exponent.
struct GrowthTerms {
    std::vector<std::string> letters;  ///< these lengths grow together
    std::vector<int> lengths;          ///< at least two (in a rubric three), increasing
    double time = 0, memory = 0;       ///< the exponents allowed; 0: not measured
    double budget_s = 2;

    /// All sizes when the growing letters have this length. `fixed`: the sizes of the other letters.
    ask::Sizes sizes_at(ask::Sizes fixed, int length) const {
        for (const std::string& letter : letters) fixed[letter] = length;
        return fixed;
    }
};

}  // namespace attn::judge
