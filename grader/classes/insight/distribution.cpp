#include "grader/classes/insight/distribution.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn::classes {
namespace {

double log_of_choices(int n, int k) {
    return std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0);
}

}  // namespace

const char* words_of_bin(std::size_t bin) {
    static constexpr std::array<const char*, kShareBins> kWords = {
        "0 to 10 %",  "10 to 20 %", "20 to 30 %", "30 to 40 %",  "40 to 50 %", "50 to 60 %",
        "60 to 70 %", "70 to 80 %", "80 to 90 %", "90 to 100 %", "100 %"};
    return kWords.at(bin);
}

double quantile(const std::vector<double>& sorted, double p) {
    const double at = p * static_cast<double>(sorted.size() - 1), below = std::floor(at);
    const auto k = static_cast<std::size_t>(below);
    return k + 1 < sorted.size() ? std::lerp(sorted[k], sorted[k + 1], at - below) : sorted[k];
}

Distribution distribution_of(const std::vector<ShareOfStudent>& shares) {
    Distribution result;
    result.count = static_cast<int>(shares.size());
    if (shares.empty()) return result;
    std::vector<double> sorted;
    for (const ShareOfStudent& each : shares) {
        const double share = std::clamp(each.share, 0.0, 1.0);
        // Points are sums of rounded shares, so all of them may be a little less than 1.
        constexpr double kAll = 1 - 1e-9;
        const std::size_t bin =
            share >= kAll
                ? kShareBins - 1
                : std::min<std::size_t>(kShareBins - 2, static_cast<std::size_t>(share * 10 + 1e-9));
        result.bins[bin].push_back(each.student);
        sorted.push_back(share);
    }
    std::ranges::sort(sorted);
    result.mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(sorted.size());
    result.lower_quartile = quantile(sorted, 0.25);
    result.median = quantile(sorted, 0.5);
    result.upper_quartile = quantile(sorted, 0.75);
    return result;
}

double chance_of_both(int all, int first, int second, int both) {
    double sum = 0;
    for (int k = std::max({both, 0, first + second - all}); k <= std::min(first, second); ++k)
        sum += std::exp(log_of_choices(first, k) + log_of_choices(all - first, second - k) -
                        log_of_choices(all, second));
    return std::min(sum, 1.0);
}

}  // namespace attn::classes
