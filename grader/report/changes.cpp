#include "grader/report/changes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/report/clean.h"
#include "grader/report/lines.h"
#include "grader/report/report_queries.h"
#include "grader/report/text.h"

namespace attn::report {
namespace {

using Direction = Change::Direction;

template <class F>
void for_each_check(const Report& report, F f) {
    for (const Assignment& assignment : report.assignments)
        for (const Part& part : assignment.parts)
            for (const Check& check : part.checks) f(check);
}

/// "wrong (no_scale)": the outcome, the named mistakes and, where speed was measured, the speed.
std::string state_of(const Check& check) {
    std::string text = in_words(check.outcome);
    if (check.diagnosis && !check.diagnosis->mistakes.empty())
        text += fmt::format(" ({})", fmt::join(check.diagnosis->mistakes, ", or "));
    if (check.speed)
        text += fmt::format(", {:.3g} times the plain loops, {} points", check.speed->times_plain.value,
                            points(check.points));
    return text;
}

Direction direction_of_outcome(const Check& before, const Check& after) {
    const bool passed = before.outcome == Outcome::passed, passes = after.outcome == Outcome::passed;
    if (passes != passed) return passes ? Direction::better : Direction::worse;
    // Code that was called is progress over no code or code that does not compile.
    const auto has_code = [](const Check& check) {
        return check.outcome != Outcome::not_implemented && check.outcome != Outcome::not_compiled &&
               check.outcome != Outcome::missing;
    };
    if (has_code(before) != has_code(after)) return has_code(after) ? Direction::better : Direction::worse;
    return Direction::other;
}

bool disjoint(const Interval& a, const Interval& b) {
    return a.high < b.low || b.high < a.low;
}

std::optional<Change> change_of(const Check& before, const Check& after) {
    const auto sentence = [&] {
        return fmt::format("{}: {} -> {}", after.id, state_of(before), state_of(after));
    };
    if (before.outcome != after.outcome) return Change{direction_of_outcome(before, after), sentence()};
    if (before.speed && after.speed && disjoint(before.speed->times_plain, after.speed->times_plain)) {
        const bool faster = after.speed->times_plain.value > before.speed->times_plain.value;
        return Change{faster ? Direction::better : Direction::worse, sentence()};
    }
    const auto names = [](const Check& check) {
        return check.diagnosis ? check.diagnosis->mistakes : std::vector<std::string>();
    };
    if (names(before) != names(after)) return Change{Direction::other, sentence()};
    return std::nullopt;
}

std::vector<PointsChange> points_changes(const Report& before, const Report& after) {
    std::map<std::string, double> earlier;
    const auto key = [](const Assignment& assignment, const std::string& part) {
        return fmt::format("{}.{}", assignment.number, part);
    };
    for (const Assignment& assignment : before.assignments) {
        earlier[key(assignment, "")] = assignment.points;
        for (const Part& part : assignment.parts) earlier[key(assignment, part.function)] = part.points;
    }
    std::vector<PointsChange> all;
    const auto add = [&](const std::string& name, bool of_assignment, const std::string& at,
                         const auto& now) {
        if (const auto found = earlier.find(at); found != earlier.end())
            all.push_back({name, of_assignment, found->second, now.points, now.max_points});
    };
    for (const Assignment& assignment : after.assignments) {
        add(fmt::format("{}  {}", assignment.number, assignment.title), true, key(assignment, ""),
            assignment);
        for (const Part& part : assignment.parts)
            add(part.function, false, key(assignment, part.function), part);
    }
    return all;
}

std::vector<std::string> comparability_notes(const Report& before, const Report& after) {
    std::vector<std::string> notes;
    if (before.submission != after.submission)
        notes.push_back(fmt::format("the reports are of two submissions: {} and {}", before.submission,
                                    after.submission));
    if (before.seed != after.seed || !before.seed)
        notes.emplace_back("the seeds differ or are secret, so the inputs may differ");
    return notes;
}

}  // namespace

bool Changes::any(Direction direction) const {
    return std::any_of(checks.begin(), checks.end(),
                       [direction](const Change& change) { return change.direction == direction; });
}

Changes changes(const Report& dirty_before, const Report& dirty_after) {
    const Report before = cleaned(dirty_before), after = cleaned(dirty_after);
    Changes result;
    result.notes = comparability_notes(before, after);
    result.points = points_changes(before, after);
    std::map<std::string, Check> earlier;
    for_each_check(before, [&](const Check& check) { earlier[check.id] = check; });
    for_each_check(after, [&](const Check& check) {
        const auto found = earlier.find(check.id);
        if (found == earlier.end()) {
            result.checks.push_back({Direction::other, check.id + ": new, " + state_of(check)});
            return;
        }
        if (auto change = change_of(found->second, check)) result.checks.push_back(*change);
        earlier.erase(found);
    });
    for (const auto& [id, check] : earlier)
        result.checks.push_back({Direction::other, id + ": no longer checked, was " + state_of(check)});
    return result;
}

std::string gains(const Report& before, const Report& after) {
    if (!comparability_notes(before, after).empty()) return {};
    std::map<std::string, const Check*> earlier;
    for_each_check(before, [&earlier](const Check& check) {
        if (is_correctness_check(check)) earlier[check.id] = &check;
    });
    double gain = 0;
    int better = 0, worse = 0, common = 0;
    for_each_check(after, [&](const Check& check) {
        const auto found = earlier.find(check.id);
        if (found == earlier.end() || !is_correctness_check(check)) return;
        ++common;
        gain += finite(check.points) - finite(found->second->points);
        const Direction direction = direction_of_outcome(*found->second, check);
        better += direction == Direction::better ? 1 : 0;
        worse += direction == Direction::worse ? 1 : 0;
    });
    if (common == 0) return {};
    std::vector<std::string> words;
    constexpr double kLeast = 0.005;  // points have two decimals
    if (std::abs(gain) >= kLeast)
        words.push_back(fmt::format("{}{} points", gain > 0 ? "+" : "-", points(std::abs(gain))));
    if (better > 0) words.push_back(fmt::format("{} check{} better", better, better == 1 ? "" : "s"));
    if (worse > 0)
        words.push_back(fmt::format("{}{} worse", worse,
                                    better > 0   ? ""
                                    : worse == 1 ? " check"
                                                 : " checks"));
    return words.empty() ? "nothing changed" : fmt::format("{}", fmt::join(words, ", "));
}

void write_changes(std::ostream& out, const Changes& changes, bool colour) {
    const Painter painter(colour);
    for (const std::string& note : changes.notes) out << "note: " << note << '\n';
    for (const PointsChange& each : changes.points) {
        if (!each.of_assignment && each.before == each.after) continue;
        const double gain = each.after - each.before;
        const std::string sign =
            gain == 0 ? "" : fmt::format("   {}{}", gain > 0 ? "+" : "-", points(std::abs(gain)));
        const std::string line =
            fmt::format("{:<49}{:>6} -> {:>6} / {}", (each.of_assignment ? "" : "   ") + each.name,
                        points(each.before), points(each.after), points(each.max_points));
        out << painter(line, each.of_assignment ? Paint::bold : Paint::plain)
            << painter(sign, gain < 0 ? Paint::bad : Paint::good) << '\n';
    }
    const auto section = [&](const char* title, Direction direction, Paint paint) {
        if (!changes.any(direction)) return;
        out << '\n' << painter(title, paint) << '\n';
        for (const Change& change : changes.checks)
            if (change.direction == direction) out << "   " << without_commands(change.what) << '\n';
    };
    section("better", Direction::better, Paint::good);
    section("worse", Direction::worse, Paint::bad);
    section("otherwise changed", Direction::other, Paint::bold);
    if (changes.checks.empty()) out << "\nNo check has a different result.\n";
}

}  // namespace attn::report
