#pragma once
/// The share of the points for a measured speed.

#include <vector>

#include "grader/ask/measuring.h"

namespace attn::speed {

/// The steps that apply with a yardstick of this speed (a multiple of the plain loops' speed): those below
/// the speed that earns everything, and that speed as the last step. Throws std::invalid_argument if the
/// yardstick's speed is not a positive number.
std::vector<ask::Scale::Step> steps_that_count(const ask::Scale& scale, double yardstick_times_plain);

/// The share for a speed. Both speeds are multiples of the plain loops' speed. The share never falls with the
/// speed, and NaN earns nothing. Throws like steps_that_count.
double share_of(const ask::Scale& scale, double times_plain, double yardstick_times_plain);

}  // namespace attn::speed
