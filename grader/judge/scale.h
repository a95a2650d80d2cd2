#pragma once
/// What speed earns.

#include <vector>

namespace attn::judge {

/// Shares of the points by speed. Between two steps the share grows with the logarithm of the speed; below
/// the first in proportion to the speed; all of it is earned at `yardstick` times the yardstick's speed.
struct Scale {
    struct Step {
        double times_plain = 1;  ///< as many times the speed of the plain loops
        double share = 0;        ///< 0 to 1
    };
    std::vector<Step> steps = {{1, 0.2}};  ///< both numbers increase
    double yardstick = 0.5;
};

/// The steps that count beside a yardstick of this speed (a multiple of the plain loops'): those below the
/// speed that earns everything, and that one. Throws std::invalid_argument where the yardstick's speed is not
/// a positive number.
std::vector<Scale::Step> steps_that_count(const Scale& scale, double yardstick_times_plain);

/// The share for a speed, given as a multiple of the plain loops' as the yardstick's is, by the steps that
/// count. Never falls with the speed; NaN earns nothing. Throws as steps_that_count does.
double share_of(const Scale& scale, double times_plain, double yardstick_times_plain);

}  // namespace attn::judge
