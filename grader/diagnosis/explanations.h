#pragma once
/// Finds the mistakes that explain the answers of one function. A mistake is made for small answers first, and
/// for no answer after it is clear that it cannot be named. What it says about an answer is computed once. There are
/// many pairs of mistakes, so they are tried until a limit of work is reached, the likely ones first.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/diagnosis/diagnose.h"

namespace attn::diagnosis {

/// The mistakes that are made together: one or two indices into the mistakes of the module.
using Made = std::vector<int>;

class Explanations {
  public:
    explicit Explanations(std::span<const Evidence> answers);

    /// The mistakes that explain all answers: all such single mistakes or, if there is none, all such pairs of
    /// which each half is needed. Empty if there are none, or if no answer is wrong.
    std::vector<Made> of_all();

    /// Only the single mistakes that explain all answers.
    std::vector<Made> single_of_all();

    /// The mistakes that explain this answer and are confirmed by a large majority of the others. They
    /// contradict no right answer. Pairs only if no single mistake explains the answer.
    std::vector<Made> of(std::size_t answer);

    Explains result_of(std::span<const int> made, std::size_t answer);

  private:
    bool explains_all(const Made& made);
    bool is_confirmed(const Made& made, std::size_t answer);
    bool is_own(int mistake) const;
    bool each_is_needed(const Made& made, std::span<const std::size_t> answers);
    /// Those in the function's own code, if there are any: a called function that is wrong would have been replaced, so
    /// only a copy of it could have the others.
    template <class Holds>
    std::vector<Made> singles(Holds holds) const;
    template <class Holds>
    std::vector<Made> pairs(Holds holds);

    std::span<const Evidence> answers_;
    std::vector<Explainer> explainers_;  ///< of the answers
    std::size_t mistakes_ = 0;
    std::vector<int> own_;            ///< those in the function's own code
    std::vector<int> possible_;       ///< those that can change what the function computes
    std::vector<std::size_t> order_;  ///< the answers, small ones first
    std::vector<Made> pairs_;         ///< those in code of the function alone first
    std::int64_t work_of_pairs_ = 0;  ///< see edits::work_done()
    std::vector<std::optional<Explains>> said_;
};

/// The answers of the branches in which a function fails: without those whose choice of an option (such as
/// norm = pre) is right in every answer. Students who write a branch for each choice make a mistake in one.
struct FailingBranches {
    std::vector<Evidence> answers;
    std::string in_words;                   ///< "norm = post"; empty if every branch fails
    std::vector<std::string> options = {};  ///< whose choices are left out
};
/// `needed`: only the choices of these options are looked at; all if there are none.
FailingBranches in_failing_branches(std::span<const Evidence> answers,
                                    const std::vector<std::string>& needed = {});

}  // namespace attn::diagnosis
