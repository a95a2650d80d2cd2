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

/// Looks for the smallest case that still fails, which asks the student many times, and adds it to the first
/// failure that can be shrunk.
void add_smallest_case(Numeric& judged, const Ask& ask);

}  // namespace attn::judge
