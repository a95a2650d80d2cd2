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
    return std::all_of(part.checks.begin(), part.checks.end(),
                       [outcome](const Check& c) { return !is_of_numbers(c) || c.outcome == outcome; });
}

bool can_be_told(const Check& check) {
    return is_of_numbers(check) && check.outcome != Outcome::passed && check.outcome != Outcome::not_compiled;
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
