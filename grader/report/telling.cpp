#include "grader/report/telling.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace attn::report {

std::string stand_ins_of(const Part& part) {
    std::string text =
        fmt::format("graded with the reference's {} in place of yours", fmt::join(part.stand_ins, ", "));
    if (part.charged_at.empty()) return text;
    return text + (part.charged_at == part.stand_ins
                       ? "; it is charged there"
                       : fmt::format("; it is charged at {}", fmt::join(part.charged_at, ", ")));
}

bool all_are(const Part& part, Outcome outcome) {
    const auto counts = [](const Check& c) { return is_of_numbers(c) && !is_kept_back(c); };
    return std::any_of(part.checks.begin(), part.checks.end(), counts) &&
           std::all_of(part.checks.begin(), part.checks.end(),
                       [&](const Check& c) { return !counts(c) || c.outcome == outcome; });
}

bool can_be_told(const Check& check) {
    return is_of_numbers(check) && !is_kept_back(check) && check.outcome != Outcome::passed &&
           check.outcome != Outcome::not_compiled;
}

bool can_be_replayed(const Report& report, const Check& check) {
    return report.seed.has_value() && check.disclosure == Disclosure::full;
}

const Check* most_telling(const Part& part) {
    const auto telling = [](const Check& c) {
        return (c.smallest && !c.smallest->inputs.empty() ? 8 : 0) + (c.diagnosis ? 4 : 0) +
               (c.smallest ? 2 : 0) + (c.difference ? 1 : 0);
    };
    const Check* most = nullptr;
    for (const Check& check : part.checks) {
        if (!can_be_told(check)) continue;
        if (most == nullptr || telling(check) > telling(*most)) most = &check;
    }
    return most;
}

bool same_mistake(const Check& a, const Check& b) {
    return a.diagnosis && b.diagnosis && a.diagnosis->mistakes == b.diagnosis->mistakes;
}

}  // namespace attn::report
