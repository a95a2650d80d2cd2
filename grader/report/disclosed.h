#pragma once
/// Removes from a report what a student may not see. All output for students is written from the result.

#include "grader/report/report.h"

namespace attn::report {

/// When the report is shown, and whether the platform hides checks by itself.
struct ViewOptions {
    bool after_deadline = false;
    bool published = false;       ///< marks are published, so the deadline has passed
    bool platform_hides = false;  ///< the platform applies each check's disclosure itself
};

/// Whether students see the check at once. Otherwise it is kept back until a later time, or for ever.
constexpr bool is_shown_now(const Check& check) {
    return check.disclosure == Disclosure::full || check.disclosure == Disclosure::category;
}

/// The report with every check reduced to its disclosure:
///   full, or due now   unchanged
///   category           outcome, points, a listed mistake with its hint; a general message without inputs
///   due later          outcome "skipped", no points, a message that says when it will be shown
///   never              removed
/// If an assignment always shows its total, its points stay those of all checks; otherwise they become the
/// sum of the shown checks. If `platform_hides`, checks that are due later or never stay unchanged.
Report disclosed(Report report, const ViewOptions& view);

}  // namespace attn::report
