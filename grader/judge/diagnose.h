#pragma once
/// Which mistake makes exactly these numbers?

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/judge/answer.h"
#include "grader/report/report.h"

namespace attn::judge {

/// What a mistake (or two at once) has to say about one answer.
enum class Explains {
    yes,        ///< its numbers are the answer's, and not the truth's
    harmless,   ///< its numbers are the truth's here, and the answer's
    no,         ///< its numbers are others, or there are none because the call broke
    cannot_say  ///< it cannot be made at these shapes, or there is no answer
};

Explains explains(const Question& question, const Verdict& verdict, std::span<const int> made);

/// One answer of a student.
struct Evidence {
    const Question* question;
    const Verdict* verdict;
};

/// The mistakes that explain every answer of one function: all single ones that do; where none does, pairs.
/// Each is a list of numbers into the module's mistakes. Empty where none explains, or nothing is wrong.
std::vector<std::vector<int>> diagnose(std::span<const Evidence> answers);

/// In words: sentence, and a hint for each mistake.
report::Diagnosis describe(const ask::Module& module, const std::vector<std::vector<int>>& candidates);

}  // namespace attn::judge
