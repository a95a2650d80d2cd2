#include "grader/speed/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>

namespace attn::speed {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr int kSamples = 2000;
constexpr double kTail = 0.025;
constexpr std::size_t kLeastToSample = 3;

/// The quantile: this share of the values does not exceed it.
double quantile(std::vector<double> values, double share) {
    const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + at, values.end());
    return values[static_cast<std::size_t>(at)];
}

}  // namespace

double median(std::vector<double> values) {
    if (values.empty()) return kNaN;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

report::Interval median_interval(const std::vector<double>& values) {
    if (values.empty()) return {kNaN, kNaN, kNaN};
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (values.size() < kLeastToSample) return {median(values), *least, *most};
    std::mt19937_64 random(values.size());
    std::vector<double> medians(kSamples), sample(values.size());
    for (double& each : medians) {
        for (double& value : sample) value = values[random() % values.size()];
        each = median(sample);
    }
    return {median(values), quantile(medians, kTail), quantile(medians, 1 - kTail)};
}

report::Interval ratio_interval(const std::vector<double>& ratios) {
    std::vector<double> logarithms;
    for (const double ratio : ratios) logarithms.push_back(std::log(ratio));
    const report::Interval interval = median_interval(logarithms);
    return {std::exp(interval.value), std::exp(interval.low), std::exp(interval.high)};
}

double growth_exponent(std::span<const double> x, std::span<const double> y) {
    if (x.size() != y.size() || x.size() < 2) return kNaN;
    const auto count = static_cast<double>(x.size());
    double mean_x = 0, mean_y = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        mean_x += std::log(x[k]) / count;
        mean_y += std::log(y[k]) / count;
    }
    double together = 0, alone = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        const double dx = std::log(x[k]) - mean_x;
        together += dx * (std::log(y[k]) - mean_y);
        alone += dx * dx;
    }
    return together / alone;
}

}  // namespace attn::speed
