#pragma once
/// Speed and growth as sentences and small text charts.

#include <string>
#include <vector>

#include "grader/report/report.h"

namespace attn::report {

/// "6.3 times the plain loops (95 % interval 6.1 to 6.6), 0.41 times the yardstick (0.4 to 0.43): 53 % of the
/// points." A second sentence follows if the machine was too noisy.
std::string in_words(const Speed& speed);

/// "All three are compiled for AVX2. Yours: `g++ ..`. It may use: C++20 ..". Empty if the report does not
/// know.
std::string in_words(const TimedBuild& build);

/// "Memory grows as N^1.01 (95 % interval 0.97 to 1.04) for N = 128 .. 1024; N^1.3 is allowed." Time stands
/// beside that of the plain loops: "Time grows as N^3.02 for N = N_q = N_k = 32 .. 512, the plain loops' as
/// N^2.10. The difference is 0.92 (95 % interval 0.90 to 0.95); 0.5 is allowed." If a call takes too long, or
/// too much memory, at the last length, another sentence says so.
std::string in_words(const Growth& growth);

/// The result of a check of speed or growth in at most one line; its message if nothing was measured.
std::string measurement_summary(const Check& check);

/// One row of the speed chart: a bar whose length grows with the logarithm of the speed, and the numbers.
struct Bar {
    std::string name, bar, numbers;
};

/// The rows for the student's function, the plain loops and the yardstick.
std::vector<Bar> chart(const Speed& speed);

/// The text that `grader explain` prints for a check of speed or growth: everything that the report contains
/// about it, as plain text and as safe as the check itself.
std::string measurement_text(const Check& check);

}  // namespace attn::report
