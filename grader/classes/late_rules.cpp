#include "grader/classes/late_rules.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "grader/classes/moments.h"
#include "grader/report/text.h"

namespace attn::classes {

double rounded_mark(double points) {
    // The added part decides ties such as 2.675 for the student, although its nearest double lies below.
    return std::floor(points * 100 + 0.5 + 1e-9) / 100;
}

const Extension* extension_of(const ExerciseRules& rules, const Person& person) {
    const Extension* last = nullptr;
    for (const Extension& each : rules.extensions) {
        const bool theirs = !each.who.empty() && (each.who == person.key || each.who == person.email ||
                                                  each.who == person.login || each.who == person.name);
        if (theirs && (last == nullptr || each.until > last->until)) last = &each;
    }
    return last;
}

Mark mark_of(const ExerciseRules& rules, const Person& person, Moment when, double raw, double out_of) {
    constexpr double kDay_s = 86400;
    Mark mark;
    mark.raw = rounded_mark(raw);
    mark.out_of = rounded_mark(out_of);
    mark.final = mark.raw;
    mark.explanation = fmt::format("{} of {}", report::points(mark.raw), report::points(mark.out_of));
    if (!rules.due) return mark;
    const Extension* extension = extension_of(rules, person);
    const Moment due = extension != nullptr ? extension->until : *rules.due;
    const std::string extended = extension != nullptr ? fmt::format("; extended to {} ({})", moment_text(due),
                                                                    report::one_line(extension->reason))
                                                      : "";
    const auto late_s = static_cast<double>(when - due);
    if (late_s <= 0) {
        mark.explanation += extended;
        return mark;
    }
    if (late_s <= rules.grace_minutes * 60) {
        mark.explanation +=
            fmt::format(", late by less than the {:g} minutes of grace{}", rules.grace_minutes, extended);
        return mark;
    }
    mark.days_late = std::ceil(late_s / kDay_s);
    mark.explanation += fmt::format(", {:g} {} late", mark.days_late, mark.days_late == 1 ? "day" : "days");
    if (rules.most_days > 0 && mark.days_late > rules.most_days) {
        mark.penalty = mark.raw;
        mark.explanation += fmt::format(": after {} {} there are no points", rules.most_days,
                                        rules.most_days == 1 ? "day" : "days");
    } else {
        const double percent = std::min(100.0, rules.percent_a_day * mark.days_late);
        mark.penalty = rounded_mark(mark.raw * percent / 100);
        mark.explanation +=
            fmt::format(": {:g} % a day, {} off", rules.percent_a_day, report::points(mark.penalty));
    }
    mark.final = rounded_mark(mark.raw - mark.penalty);
    mark.explanation += fmt::format(", {}{}", report::points(mark.final), extended);
    return mark;
}

}  // namespace attn::classes
