#pragma once
/// The share of the points for a measured speed.

#include <vector>

namespace attn::judge {

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

/// The steps that apply with a yardstick of this speed (a multiple of the plain loops' speed): those below
/// the speed that earns everything, and that speed as the last step. Throws std::invalid_argument if the
/// yardstick's speed is not a positive number.
std::vector<Scale::Step> steps_that_count(const Scale& scale, double yardstick_times_plain);

/// The share for a speed. Both speeds are multiples of the plain loops' speed. The share never falls with the
/// speed, and NaN earns nothing. Throws like steps_that_count.
double share_of(const Scale& scale, double times_plain, double yardstick_times_plain);

}  // namespace attn::judge
