#pragma once
/// Measured numbers: their middle, how sure it is, and how they grow.

#include <functional>
#include <span>
#include <vector>

#include "grader/report/measurement_data.h"

namespace attn::judge {

inline constexpr double kMilli = 1e-3;

/// The middle one, or the mean of the two in the middle. NaN of none.
double median(std::vector<double> values);

/// median(values), with the 2.5 and 97.5 percentiles of the medians of samples drawn from them with
/// replacement (the bootstrap of Efron 1979). The same values give the same interval. Of fewer than three
/// values the interval is all there is: their smallest and largest.
report::Interval median_interval(const std::vector<double>& values);

/// The same of logarithms, carried back: for ratios, of which twice and half are equally far from one.
report::Interval ratio_interval(const std::vector<double>& ratios);

/// The slope of the straight line through (log x, log y) with the least squares: y grows as x^slope.
/// Requires as many x as y, at least two different x, all positive; NaN otherwise.
double growth_exponent(std::span<const double> x, std::span<const double> y);

}  // namespace attn::judge
