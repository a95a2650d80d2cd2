#pragma once
/// Finds the mistakes whose numbers are exactly those of the student.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/judge/answer.h"
#include "grader/report/report.h"

namespace attn::judge {

/// Whether a mistake, or two at once, explains one answer.
enum class Explains {
    yes,        ///< the answer has the numbers of the mistake, and these are wrong
    harmless,   ///< the answer has the numbers of the mistake, and these are right here
    no,         ///< the answer has other numbers, or none because the call crashed
    cannot_say  ///< the mistake cannot be made at these shapes, or there is no answer
};

/// `made`: indices into the mistakes of the module.
Explains explains(const Question& question, const Verdict& verdict, std::span<const int> made);

/// The same for numbers that were computed already. Null: they cannot be computed at these shapes.
Explains explains_numbers(const Question& question, const Verdict& verdict, const Arrays* wrong_f64,
                          const Arrays* wrong_f32);

/// A question with the verdict on the student's answer.
struct Evidence {
    const Question* question;
    const Verdict* verdict;
};

/// What a mistake says about several answers.
struct Counts {
    int yes = 0, no = 0;
    int unsaid = 0;  ///< wrong answers about which the mistake cannot say anything

    void add(Explains said, Outcome outcome);
    /// Whether a mistake, or two (`made`), may be named: it explains four times as many answers as it
    /// contradicts. Two mistakes have to explain at least one answer for every four wrong ones about which
    /// they cannot say anything, because there are so many pairs.
    bool enough(std::span<const int> made) const;
};

/// The mistakes that explain all answers of one function: all such single mistakes or, if there is none, all
/// such pairs of which each half is needed. Each entry is a list of indices into the mistakes of the module.
/// Empty if there are none, or if no answer is wrong.
std::vector<std::vector<int>> diagnose(std::span<const Evidence> answers);

/// Describes the candidates in a sentence, with a hint for each mistake.
report::Diagnosis describe(const ask::Module& module, const std::vector<std::vector<int>>& candidates);

}  // namespace attn::judge
