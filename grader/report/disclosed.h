#pragma once
/// What of a report a student may see. Whatever students read is made of this.

#include "grader/report/report.h"

namespace attn::report {

/// Who looks, and when.
struct Viewing {
    bool after_deadline = false;
    bool published = false;       ///< marks are, so the deadline is over
    bool platform_hides = false;  ///< who shows the report keeps checks back itself, by their disclosure
};

/// Whether students are told of a check before anything is due; what is not is kept back.
constexpr bool is_told_now(const Check& check) {
    return check.disclosure == Disclosure::full || check.disclosure == Disclosure::category;
}

/// The report with every check cut to its disclosure. What is due now is full; `category` keeps outcome,
/// points, a named mistake and its hints, with words of the grader's in place of all that depends on inputs;
/// what is due later is skipped, without points, and says until when; `never` is gone. Points of parts and
/// assignments are those of the whole, or where their totals are not always shown those of what is. For a
/// platform that hides, what is due later or never stays as it is.
Report disclosed(Report report, const Viewing& viewing);

}  // namespace attn::report
