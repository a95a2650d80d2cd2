#include "grader/classes/late_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/base/errors.h"
#include "grader/classes/moments.h"
#include "grader/classes/roster/match.h"
#include "grader/classes/roster/names.h"
#include "grader/report/text.h"

namespace attn::classes {
namespace {

std::array<std::string, 4> names_of_person(const Person& person) {
    return {person.email, person.login, person.key, person.name};
}

bool is_extension_of(const Extension& extension, const Person& person) {
    return !extension.who.empty() && std::ranges::count(names_of_person(person), extension.who) > 0;
}

/// The number of characters to insert, delete or replace.
std::size_t edits_between(const std::string& one, const std::string& other) {
    std::vector<std::size_t> row(other.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < one.size(); ++i) {
        std::size_t before = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < other.size(); ++j) {
            const std::size_t replaced = before + (one[i] == other[j] ? 0 : 1);
            before = std::exchange(row[j + 1], std::min({row[j] + 1, row[j + 1] + 1, replaced}));
        }
    }
    return row.back();
}

/// The names, addresses, logins and ids that `who` may be a slip for, the nearest first.
std::vector<std::string> near_names(const std::string& who, const std::vector<Person>& people) {
    constexpr std::size_t kShown = 3, kLongest = 200;
    const std::string wanted = name_letters(who).substr(0, kLongest);
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const Person& person : people)
        for (const std::string& name : names_of_person(person)) {
            const std::size_t edits = edits_between(wanted, name_letters(name).substr(0, kLongest));
            const bool inside = !wanted.empty() && !name.empty() && names_agree(name, who);
            if (!name.empty() && (inside || edits <= std::max<std::size_t>(2, wanted.size() / 4)))
                near.emplace_back(edits, name);
        }
    std::ranges::sort(near);
    std::vector<std::string> names;
    for (const auto& [edits, name] : near)
        if (names.size() < kShown && std::ranges::count(names, name) == 0) names.push_back(name);
    return names;
}

}  // namespace

void require_known_extensions(const ExerciseRules& rules, const std::vector<Person>& people) {
    for (const Extension& each : rules.extensions) {
        const auto known = std::ranges::count_if(
            people, [&](const Person& person) { return is_extension_of(each, person); });
        if (known == 1) continue;
        const std::string where = fmt::format("class.toml, exercise {}: the extension of who = \"{}\"",
                                              rules.assignment, report::one_line(each.who));
        if (known > 1)
            throw UserError(fmt::format("{} may be of {} students; expected one; write the e-mail address",
                                        where, known));
        const std::vector<std::string> near = near_names(each.who, people);
        throw UserError(fmt::format(
            "{} is of nobody in this class; expected an e-mail address, a login, an id or a whole name{}; "
            "correct it, or take the student in first: grader class add --roster FILE",
            where, near.empty() ? "" : fmt::format(" (near are \"{}\")", fmt::join(near, "\", \""))));
    }
}

double rounded_mark(double points) {
    // The added part decides ties such as 2.675 for the student, although its nearest double lies below.
    return std::floor(points * 100 + 0.5 + 1e-9) / 100;
}

const Extension* extension_of(const ExerciseRules& rules, const Person& person) {
    const Extension* last = nullptr;
    for (const Extension& each : rules.extensions) {
        if (is_extension_of(each, person) && (last == nullptr || each.until > last->until)) last = &each;
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
