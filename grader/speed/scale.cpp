#include "grader/speed/scale.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace attn::speed {

std::vector<ask::Scale::Step> steps_that_count(const ask::Scale& scale, double yardstick_times_plain) {
    const double all_from = scale.yardstick * yardstick_times_plain;
    if (!(all_from > 0 && std::isfinite(all_from)))
        throw std::invalid_argument(fmt::format(
            "the scale is not valid: it gives all points at {:g} times the plain loops' speed", all_from));
    std::vector<ask::Scale::Step> steps;
    for (const ask::Scale::Step& step : scale.steps)
        if (step.times_plain < all_from) steps.push_back(step);
    steps.push_back({all_from, 1});
    return steps;
}

double share_of(const ask::Scale& scale, double times_plain, double yardstick_times_plain) {
    const auto steps = steps_that_count(scale, yardstick_times_plain);
    if (!(times_plain > 0)) return 0;
    const auto above = std::find_if(steps.begin(), steps.end(), [times_plain](const ask::Scale::Step& step) {
        return times_plain < step.times_plain;
    });
    if (above == steps.end()) return 1;
    if (above == steps.begin()) return above->share * times_plain / above->times_plain;
    const auto below = above - 1;
    const double fraction =
        std::log(times_plain / below->times_plain) / std::log(above->times_plain / below->times_plain);
    return std::clamp(below->share + fraction * (above->share - below->share), below->share, above->share);
}

}  // namespace attn::speed
