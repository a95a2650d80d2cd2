#pragma once
/// The numeric checks of one function: every case asked, judged and explained.

#include <vector>

#include "grader/judge/answer.h"
#include "grader/report/report.h"

namespace attn::judge {

/// Whether the smallest case that still fails is looked for, which asks the student many times.
enum class Shrinking { wanted, left_out };

/// Judges all cases together: a mistake is named only if it explains every answer. The first failure that can
/// be shrunk carries the smallest case. Checks come in the order of the questions, without id and points.
std::vector<report::Check> judge_numeric(const std::vector<Question>& questions, const Ask& ask,
                                         Shrinking shrinking = Shrinking::wanted);

}  // namespace attn::judge
