#include "grader/grading/carry_forward.h"

#include <algorithm>
#include <array>
#include <utility>

namespace attn {
namespace {

/// The number of checks that pass, then the number of failures with a diagnosis, then minus the number of
/// mistakes that these diagnoses need together. Compared in this order. So a part is judged with a stand-in,
/// too, if its failures are then explained by its own mistake alone, without that of the earlier function.
using Merit = std::array<std::ptrdiff_t, 3>;

/// The number of mistakes that a diagnosis names together: 2 for "a+b".
std::ptrdiff_t mistakes_in(const report::Diagnosis& diagnosis) {
    const std::string& first = diagnosis.mistakes.front();
    return 1 + std::count(first.begin(), first.end(), '+');
}

Merit merit_of(const std::vector<report::Check>& checks) {
    Merit merit{};
    for (const report::Check& check : checks) {
        merit[0] += check.outcome == Outcome::passed ? 1 : 0;
        if (!check.diagnosis || check.diagnosis->mistakes.empty()) continue;
        merit[1] += 1;
        merit[2] -= mistakes_in(*check.diagnosis);
    }
    return merit;
}

}  // namespace

std::optional<CarriedForward> carry_forward(const std::vector<report::Check>& own,
                                            const std::vector<std::string>& builds_on,
                                            const JudgeWith& judge_with) {
    if (builds_on.empty() || merit_of(own)[0] == static_cast<std::ptrdiff_t>(own.size())) return std::nullopt;
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
