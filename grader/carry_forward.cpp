#include "grader/carry_forward.h"

#include <algorithm>
#include <compare>

namespace attn {
namespace {

/// First what passes, then what is understood.
struct Merit {
    std::ptrdiff_t passed = 0, named = 0;
    auto operator<=>(const Merit&) const = default;
};

Merit merit_of(const std::vector<report::Check>& checks) {
    const auto passed = [](const report::Check& check) { return check.outcome == Outcome::passed; };
    const auto named = [](const report::Check& check) { return check.diagnosis.has_value(); };
    return {std::count_if(checks.begin(), checks.end(), passed),
            std::count_if(checks.begin(), checks.end(), named)};
}

}  // namespace

std::optional<Carried> carry_forward(const std::vector<report::Check>& own,
                                     const std::vector<std::string>& builds_on, const JudgeWith& judge_with) {
    if (builds_on.empty() || merit_of(own).passed == static_cast<std::ptrdiff_t>(own.size()))
        return std::nullopt;
    Carried carried{builds_on, judge_with(builds_on)};
    const Merit best = merit_of(carried.checks);
    if (best <= merit_of(own)) return std::nullopt;
    for (const std::string& candidate : builds_on) {
        if (carried.stand_ins.size() == 1) break;
        std::vector<std::string> fewer = carried.stand_ins;
        std::erase(fewer, candidate);
        std::vector<report::Check> checks = judge_with(fewer);
        if (merit_of(checks) >= best) carried = {std::move(fewer), std::move(checks)};
    }
    return carried;
}

}  // namespace attn
