#include "grader/grading/carry_forward.h"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

/// The number of checks that pass, then the number of failures with a diagnosis. Compared in this order.
using Merit = std::pair<std::ptrdiff_t, std::ptrdiff_t>;

Merit merit_of(const std::vector<report::Check>& checks) {
    const auto passed = [](const report::Check& check) { return check.outcome == Outcome::passed; };
    const auto diagnosed = [](const report::Check& check) { return check.diagnosis.has_value(); };
    return {std::count_if(checks.begin(), checks.end(), passed),
            std::count_if(checks.begin(), checks.end(), diagnosed)};
}

}  // namespace

std::optional<CarriedForward> carry_forward(const std::vector<report::Check>& own,
                                            const std::vector<std::string>& builds_on,
                                            const JudgeWith& judge_with) {
    if (builds_on.empty() || merit_of(own).first == static_cast<std::ptrdiff_t>(own.size()))
        return std::nullopt;
    CarriedForward carried{builds_on, judge_with(builds_on)};
    const Merit best = merit_of(carried.checks);
    if (best <= merit_of(own)) return std::nullopt;
    // Remove later functions first, so that the earliest cause remains.
    const std::vector<std::string> last_first(builds_on.rbegin(), builds_on.rend());
    for (const std::string& candidate : last_first) {
        if (carried.stand_ins.size() == 1) break;
        std::vector<std::string> fewer = carried.stand_ins;
        std::erase(fewer, candidate);
        std::vector<report::Check> checks = judge_with(fewer);
        if (merit_of(checks) >= best) carried = {std::move(fewer), std::move(checks)};
    }
    return carried;
}

}  // namespace attn
