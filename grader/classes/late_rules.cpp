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

namespace {

/// How much is known about the time that decides; empty if it is beyond doubt.
std::string doubt_about(const HandInTime& time) {
    switch (time.by) {
        case TimeSource::unknown:
            return time.marked_late ? "" : "; not late, because its time is not known";
        case TimeSource::files:
        case TimeSource::commit:
            return fmt::format("; by {}, which students can set", source_in_words(time));
        case TimeSource::person:
            return "; handed in " + time_in_words(time);
        case TimeSource::table:
        case TimeSource::platform:
            break;
    }
    return "";
}

}  // namespace

Mark mark_of(const ExerciseRules& rules, const Person& person, const HandInTime& time, double raw,
             double out_of) {
    constexpr double kDay_s = 86400;
    Mark mark;
    mark.raw = rounded_mark(raw);
    mark.out_of = rounded_mark(out_of);
    mark.final = mark.raw;
    mark.explanation = fmt::format("{} of {}", report::points(mark.raw), report::points(mark.out_of));
    if (!rules.due) return mark;
    const Extension* extension = extension_of(rules, person);
    const Moment due = extension != nullptr ? extension->until : *rules.due;
    std::string ending = doubt_about(time);
    if (extension != nullptr)
        ending += fmt::format("; extended to {} ({})", moment_text(due), report::one_line(extension->reason));
    const bool known = time.by != TimeSource::unknown;
    if (!known && time.marked_late && extension != nullptr)
        ending += "; the platform calls it late, but does not say by how much, so it is not counted as late";
    const double late_s = known                                      ? static_cast<double>(time.when - due)
                          : time.marked_late && extension == nullptr ? kDay_s
                                                                     : 0;
    if (late_s <= 0) {
        mark.explanation += ending;
        return mark;
    }
    if (known && late_s <= rules.grace_minutes * 60) {
        mark.explanation +=
            fmt::format(", late by less than the {:g} minutes of grace{}", rules.grace_minutes, ending);
        return mark;
    }
    mark.days_late = std::ceil(late_s / kDay_s);
    mark.explanation += fmt::format(", {:g} {} late", mark.days_late, mark.days_late == 1 ? "day" : "days");
    if (!known) mark.explanation += " (the platform calls it late, but does not say by how much)";
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
    mark.explanation += fmt::format(", {}{}", report::points(mark.final), ending);
    return mark;
}

}  // namespace attn::classes
