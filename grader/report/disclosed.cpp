#include "grader/report/disclosed.h"

#include <algorithm>
#include <cmath>

#include "grader/report/next_step.h"

namespace attn::report {
namespace {

constexpr double kCoarse_s = 10;

/// What became of a call, in words that hold no number and nothing of the student's.
const char* in_general(const Check& check) {
    const bool numeric = check.kind != CheckKind::property, shown = check.difference.has_value();
    switch (check.outcome) {
        case Outcome::passed:
            return "";
        case Outcome::wrong:
            if (numeric)
                return shown ? "Wrong numbers." : "Sizes that it has to refuse are answered wrongly.";
            return shown ? "It does not hold." : "It holds, but the output does not depend on the inputs.";
        case Outcome::not_finite:
            return "NaN or infinity where a number is due.";
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
            return "An exception left it.";
        case Outcome::kernel_error:
            return "A kernel did what none may.";
        case Outcome::exited:
            return "It ended the process instead of returning.";
        case Outcome::timed_out:
            return "It did not come back in time.";
        case Outcome::out_of_memory:
            return "It asked for more memory than is allowed.";
        case Outcome::too_much_output:
            return "It printed more than is allowed.";
        case Outcome::forbidden:
            return "It tried what graded code may not.";
        case Outcome::not_deterministic:
            return "The same call gave other numbers the second time.";
        case Outcome::slow:
            return check.kind == CheckKind::speed ? "Right, but slower than what earns all points."
                                                  : "Right, but its cost grows faster than is allowed.";
        case Outcome::too_fast:
            return "Right numbers in less time than they take to compute.";
        case Outcome::too_many_threads:
            return "It runs more threads than are allowed.";
        case Outcome::skipped:
            return "Not run: it did not come back in time before.";
    }
    return "";
}

/// A check without anything that depends on its inputs. A property's statement is public, and so is a hint
/// on speed; times are not, for a call may take as long as an input says.
Check in_category(const Check& whole) {
    Check check;
    check.id = whole.id;
    check.name = whole.name;
    check.kind = whole.kind;
    check.about = whole.kind == CheckKind::property ? whole.about : "secret inputs";
    check.outcome = whole.outcome;
    check.points = whole.points;
    check.max_points = whole.max_points;
    check.disclosure = whole.disclosure;
    check.diagnosis = whole.diagnosis;
    check.message = in_general(whole);
    // Why a speed was not even asked for is known without its inputs.
    if (whole.outcome == Outcome::skipped && !is_of_numbers(whole)) check.message = whole.message;
    if (whole.speed && whole.outcome == Outcome::slow && !whole.speed->hint.empty())
        check.message += " Try: " + whole.speed->hint;
    return check;
}

Check kept_back(const Check& whole) {
    Check check = in_category(whole);
    check.outcome = Outcome::skipped;
    check.points = check.max_points = 0;
    check.diagnosis.reset();
    check.message = whole.disclosure == Disclosure::after_deadline ? "Kept back until the deadline."
                                                                   : "Kept back until marks are published.";
    return check;
}

Disclosure due_now(Disclosure disclosure, const Viewing& viewing) {
    const bool due =
        (disclosure == Disclosure::after_deadline && (viewing.after_deadline || viewing.published)) ||
        (disclosure == Disclosure::after_publication && viewing.published);
    return due ? Disclosure::full : disclosure;
}

/// The points of what is left of a part.
void count_anew(Part& part) {
    part.points = part.max_points = 0;
    for (const Check& check : part.checks) {
        part.points += check.points;
        part.max_points += check.max_points;
    }
}

void hide(Assignment& assignment) {
    double points = 0, max_points = 0;
    for (Part& part : assignment.parts) {
        const bool whole = std::all_of(part.checks.begin(), part.checks.end(), is_told_now);
        std::erase_if(part.checks, [](const Check& c) { return c.disclosure == Disclosure::never; });
        for (Check& check : part.checks)
            if (!is_told_now(check)) check = kept_back(check);
        if (!whole && !assignment.total_always) count_anew(part);
        points += part.points;
        max_points += part.max_points;
    }
    if (assignment.total_always) return;
    assignment.points = points;
    assignment.max_points = max_points;
}

}  // namespace

Report disclosed(Report report, const Viewing& viewing) {
    bool all_shown = true, any_cut = false;
    for (Assignment& assignment : report.assignments) {
        bool all_shown_here = true;
        for (Part& part : assignment.parts) {
            for (Check& check : part.checks) {
                check.disclosure = due_now(check.disclosure, viewing);
                all_shown_here = all_shown_here && is_told_now(check);
                any_cut = any_cut || check.disclosure != Disclosure::full;
                if (check.disclosure == Disclosure::category) check = in_category(check);
            }
        }
        all_shown = all_shown && all_shown_here;
        // Who stood in for whom tells what became of checks that nobody may know of.
        if (!all_shown_here)
            for (Part& part : assignment.parts) part.stand_ins.clear(), part.charged_at.clear();
    }
    // A call may take as long as an input says.
    if (any_cut) report.duration_s = std::ceil(report.duration_s / kCoarse_s) * kCoarse_s;
    if (all_shown) return report;
    Report shown = report;
    for (Assignment& assignment : shown.assignments) hide(assignment);
    shown.next = report.next = next_step(shown).value_or("nothing left to do of what is shown here.");
    return viewing.platform_hides ? report : shown;
}

}  // namespace attn::report
