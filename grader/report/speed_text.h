#pragma once
/// Speed and growth in words and small charts.

#include <string>
#include <vector>

#include "grader/report/report.h"

namespace attn::report {

/// "6.3 times the plain loops (95 % interval 6.1 to 6.6), 0.41 times the yardstick (0.4 to 0.43): 53 % of the
/// points." And, where it was so, that the machine was too noisy.
std::string in_words(const Speed& speed);

/// "Time grows as N^2.01 (95 % interval 1.97 to 2.04) for N = N_q = N_k = 64 .. 512; N^2.2 is allowed."
std::string in_words(const Growth& growth);

/// What became of a check of speed or growth, in at most a line: its message where nothing was measured.
std::string in_short(const Check& check);

/// One of the three who were measured: a bar that is longer for the faster by the logarithm, and the numbers.
struct Bar {
    std::string name, bar, numbers;
};

/// Yours, the plain loops, the yardstick.
std::vector<Bar> chart(const Speed& speed);

/// What `grader explain` says of a check of speed or growth: all that the report knows of it. Plain text,
/// as clean as the check is.
std::string explained(const Check& check);

}  // namespace attn::report
