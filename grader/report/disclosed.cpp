#include "grader/report/disclosed.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "grader/report/findings.h"

namespace attn::report {
namespace {

constexpr double kDurationStep_s = 10;

/// The outcome of a check as a sentence without numbers and without text of the student.
const char* general_message(const Check& check) {
    const bool compares_numbers = check.kind != CheckKind::property,
               has_difference = check.difference.has_value();
    switch (check.outcome) {
        case Outcome::passed:
            return "";
        case Outcome::wrong:
            if (compares_numbers)
                return has_difference ? "Wrong numbers."
                                      : "Sizes that it has to refuse are not refused correctly.";
            return has_difference ? "It does not hold."
                                  : "Not counted: it holds, but the output does not depend on the inputs.";
        case Outcome::not_finite:
            return "NaN or infinity where a number is expected.";
        case Outcome::not_implemented:
            return "Nothing was written.";
        case Outcome::partly_written:
            return "Only a part of the output was written.";
        case Outcome::missing:
            return "There is no function with the header's name and parameters.";
        case Outcome::not_compiled:
            return "It does not compile.";
        case Outcome::crashed:
            return "It crashed.";
        case Outcome::out_of_bounds:
            return "It read or wrote outside of an array.";
        case Outcome::changed_input:
            return "It wrote to an input.";
        case Outcome::threw:
            return "It threw an exception.";
        case Outcome::kernel_error:
            return "A kernel did something that is not allowed.";
        case Outcome::exited:
            return "It ended the process instead of returning.";
        case Outcome::timed_out:
            return "It did not return in time.";
        case Outcome::out_of_memory:
            return "It asked for more memory than is allowed.";
        case Outcome::too_much_output:
            return "It printed more than is allowed.";
        case Outcome::forbidden:
            return "It tried something that graded code may not do.";
        case Outcome::not_deterministic:
            return "The same call gave different numbers the second time.";
        case Outcome::slow:
            if (check.kind == CheckKind::speed) return "Correct, but too slow for full points.";
            if (check.growth.empty() || std::ranges::any_of(check.growth, grows_too_fast))
                return "Correct, but its cost grows faster than is allowed.";
            return std::ranges::any_of(check.growth, takes_too_long)
                       ? "Correct, but at the last length it takes too long beside the plain loops."
                       : "Correct, but at the last length it takes too much memory beside the plain loops.";
        case Outcome::too_fast:
            return "Correct numbers in less time than computing them takes.";
        case Outcome::too_many_threads:
            return "It runs more threads than are allowed.";
        case Outcome::over_budget:
            return "Not run: the time for this assignment as a whole is used up.";
        case Outcome::skipped:
            return "Not run: an earlier call did not return in time.";
    }
    return "";
}

/// The number with two digits.
double with_two_digits(double value) {
    return std::isfinite(value) ? std::stod(fmt::format("{:.1e}", value)) : 0;
}

/// Whether a diagnosis tells which one of the listed mistakes was made, and nothing else. A submission can
/// make any of the unlisted ones, or any pair of the listed ones, so such a name could carry a hidden input.
bool names_a_listed_mistake(const Diagnosis& diagnosis) {
    return diagnosis.mistakes.size() == 1 && diagnosis.mistakes.front().find('+') == std::string::npos;
}

/// The check without everything that depends on its inputs. The statement of a property and a hint on speed
/// are public. Times are removed, because a submission could reveal an input by how long a call takes. What a board
/// shows of the speed has two digits, which is less than the points say.
Check as_category(const Check& whole) {
    Check check;
    check.id = whole.id;
    check.name = whole.name;
    check.kind = whole.kind;
    check.about = whole.kind == CheckKind::property ? whole.about : "secret inputs";
    check.outcome = whole.outcome;
    check.points = whole.points;
    check.max_points = whole.max_points;
    check.disclosure = whole.disclosure;
    if (whole.diagnosis && names_a_listed_mistake(*whole.diagnosis)) check.diagnosis = whole.diagnosis;
    check.message = general_message(whole);
    // The reason why speed was not measured does not depend on the inputs.
    if (whole.outcome == Outcome::skipped && !is_correctness_check(whole)) check.message = whole.message;
    if (whole.speed) check.board_speed = with_two_digits(whole.speed->times_plain.value);
    if (whole.speed && whole.outcome == Outcome::slow && !whole.speed->hint.empty())
        check.message += " Try: " + whole.speed->hint;
    return check;
}

Check as_kept_back(const Check& whole) {
    Check check = as_category(whole);
    check.outcome = Outcome::skipped;
    check.points = check.max_points = 0;
    check.diagnosis.reset();
    check.board_speed.reset();
    check.message = whole.disclosure == Disclosure::after_deadline ? "Kept back until the deadline."
                                                                   : "Kept back until marks are published.";
    return check;
}

Disclosure effective_disclosure(Disclosure disclosure, const ViewOptions& view) {
    const bool is_due =
        (disclosure == Disclosure::after_deadline && (view.after_deadline || view.published)) ||
        (disclosure == Disclosure::after_publication && view.published);
    return is_due ? Disclosure::full : disclosure;
}

/// Sets the points of a part to the sum of its remaining checks.
void recompute_points(Part& part) {
    part.points = part.max_points = 0;
    for (const Check& check : part.checks) {
        part.points += check.points;
        part.max_points += check.max_points;
    }
}

void hide(Assignment& assignment) {
    double points = 0, max_points = 0;
    for (Part& part : assignment.parts) {
        const bool whole = std::all_of(part.checks.begin(), part.checks.end(), is_shown_now);
        std::erase_if(part.checks, [](const Check& c) { return c.disclosure == Disclosure::never; });
        for (Check& check : part.checks)
            if (!is_shown_now(check)) check = as_kept_back(check);
        if (!whole && !assignment.total_always) recompute_points(part);
        points += part.points;
        max_points += part.max_points;
    }
    if (assignment.total_always) return;
    assignment.points = points;
    assignment.max_points = max_points;
}

}  // namespace

Report disclosed(Report report, const ViewOptions& view) {
    bool all_shown = true, any_shortened = false;
    for (Assignment& assignment : report.assignments) {
        bool all_shown_here = true;
        for (Part& part : assignment.parts) {
            for (Check& check : part.checks) {
                check.disclosure = effective_disclosure(check.disclosure, view);
                all_shown_here = all_shown_here && is_shown_now(check);
                any_shortened = any_shortened || check.disclosure != Disclosure::full;
                if (check.disclosure == Disclosure::category) check = as_category(check);
            }
        }
        all_shown = all_shown && all_shown_here;
        // A submission could choose the lines of a race by its inputs.
        for (Part& part : assignment.parts)
            if (std::ranges::any_of(part.checks,
                                    [](const Check& check) { return check.disclosure != Disclosure::full; }))
                part.added_barriers.clear(), part.costs_elsewhere.clear();
        // Stand-ins would reveal the outcome of hidden checks.
        if (!all_shown_here)
            for (Part& part : assignment.parts)
                part.stand_ins.clear(), part.charged_at.clear(), part.race_charged_at.clear(),
                    part.mistake_charged_at.clear(), part.costs_elsewhere.clear(),
                    part.added_barriers.clear();
    }
    // A submission could reveal an input by how long a call takes, so the duration is rounded up.
    if (any_shortened) report.duration_s = std::ceil(report.duration_s / kDurationStep_s) * kDurationStep_s;
    if (all_shown) return report;
    Report shown = report;
    for (Assignment& assignment : shown.assignments) hide(assignment);
    shown.next = report.next =
        next_step(shown).value_or("nothing left to do among the checks that are shown here.");
    return view.platform_hides ? report : shown;
}

}  // namespace attn::report
