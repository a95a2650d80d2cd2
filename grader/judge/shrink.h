#pragma once
/// The smallest case that still fails in the same way.

#include <functional>
#include <optional>

#include "grader/judge/answer.h"

namespace attn::judge {

struct Shrunk {
    Question question;
    Verdict verdict;
};

/// Looks for smaller sizes at which `still_fails` holds of the verdict: first among all sizes of 1, 2 and 3,
/// the fewest numbers first; else shortens one length after the other. Asks the student at most
/// `most_questions` times. Nothing where the recipe's lengths are fixed or no smaller size fails.
std::optional<Shrunk> shrink(const Question& question, const Ask& ask,
                             const std::function<bool(const Question&, const Verdict&)>& still_fails,
                             int most_questions = 400);

}  // namespace attn::judge
