#pragma once
/// Finds a small case that still fails in the same way.

#include <functional>
#include <optional>

#include "grader/judge/answer.h"

namespace attn::diagnosis {

struct Shrunk {
    judge::Question question;
    judge::Verdict verdict;
};

/// Whether a smaller case shows the failure that was to be shown.
using StillFails = std::function<bool(const judge::Question&, const judge::Verdict&)>;

/// Looks for smaller sizes at which `still_fails` is true for the verdict. First tries all lengths of 1, 2
/// and 3, those with the fewest numbers first. If none fails, shortens one length after the other: with other numbers,
/// and then by cutting the numbers that fail, as few of them may. Calls the student's function at most `most_questions`
/// times. Returns nothing if the recipe has fixed lengths or no smaller size fails.
std::optional<Shrunk> shrink(const judge::Question& question, const judge::CallFunction& call,
                             const StillFails& still_fails, int most_questions = 400);

}  // namespace attn::diagnosis
