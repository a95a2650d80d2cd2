#pragma once
/// How shares of points are distributed, and the statistics that outliers and pairs need.

#include <array>
#include <optional>
#include <vector>

namespace attn::classes {

/// Ten bins of a tenth each, and one for all of the points.
inline constexpr std::size_t kShareBins = 11;

/// "0 to 10 %", .. , "90 to 100 %", "100 %".
const char* words_of_bin(std::size_t bin);

/// Shares from 0 to 1 of a class.
struct Distribution {
    std::array<std::vector<int>, kShareBins> bins;  ///< the students in each bin
    int count = 0;
    std::optional<double> mean, lower_quartile, median, upper_quartile;  ///< none: nothing was graded
};

/// A share, and whose it is.
struct ShareOfStudent {
    int student = 0;
    double share = 0;
};

Distribution distribution_of(const std::vector<ShareOfStudent>& shares);

/// The value below which the share `p` of the sorted values lies, interpolated linearly. Requires a value.
double quantile(const std::vector<double>& sorted, double p);

/// The probability that at least `both` of `first` students are among `second` others, if the two groups were
/// drawn independently from `all` students: the upper tail of the hypergeometric distribution.
double chance_of_both(int all, int first, int second, int both);

}  // namespace attn::classes
