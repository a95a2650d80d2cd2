#pragma once
/// Statistics of measured numbers: median, confidence interval, and exponent of growth.

#include <functional>
#include <span>
#include <vector>

#include "grader/report/measurement_data.h"

namespace attn::speed {

inline constexpr double kMilli = 1e-3;

/// The median. For an even count it is the mean of the two middle values. NaN if there are no values.
double median(std::vector<double> values);

/// median(values) with its 95 % interval: the 2.5 and 97.5 percentiles of the medians of samples drawn with
/// replacement (bootstrap, Efron 1979). The same values always give the same interval. For fewer than three
/// values the interval is from the smallest to the largest.
report::Interval median_interval(const std::vector<double>& values);

/// The same, computed with logarithms, for ratios: 2 and 1/2 are equally far from 1.
report::Interval ratio_interval(const std::vector<double>& ratios);

/// The slope of the least-squares line through (log x, log y): y grows as x^slope.
/// Requires as many x as y, at least two different x, and positive numbers. Otherwise returns NaN.
double growth_exponent(std::span<const double> x, std::span<const double> y);

}  // namespace attn::speed
