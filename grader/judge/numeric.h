#pragma once
/// The numeric checks of one function: every case asked, judged and explained.

#include <vector>

#include "grader/judge/answer.h"
#include "grader/report/report.h"

namespace attn::judge {

/// The numeric cases of one function, asked and explained.
struct Numeric {
    std::vector<report::Check> checks;  ///< in the order of the questions, without id and points
    std::vector<Question> questions;
    std::vector<Verdict> verdicts;
    std::vector<std::vector<std::vector<int>>>
        named;  ///< for each question: sets of mistakes that explain it
};

/// Judges all cases together: a mistake is named only if it explains every answer.
Numeric judge_numeric(std::vector<Question> questions, const Ask& ask);

/// Makes failures plain, for those who read them: pictures of some, and of the first that can be shrunk the
/// smallest case that still fails, for which the student is asked many times.
void illustrate(Numeric& judged, const Ask& ask);

}  // namespace attn::judge
