#pragma once
/// A mistake in a helper of the student, which several functions call, is charged once: to the first of them. The others
/// lose nothing if all their answers are those of the plain loops with the same mistake in the same helper.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/grading/judge_part.h"

namespace attn {

class SharedMistakes {
  public:
    /// Remembers the answers of `function`.
    void remember(const std::string& function, const diagnosis::NumericResult& judged);

    /// The earlier function that has the same mistake. Then the checks of this part that show it pass. Empty if there is
    /// none, or if anything is wrong that this mistake does not explain; then nothing changes.
    std::string charge(const rubric::Rubric& rubric, const rubric::PartRubric& rules, std::uint64_t seed,
                       Judged& judged);

  private:
    /// Finds the changes of a helper of the plain loops that explain the answers of `function`, if any do. A listed
    /// mistake has its words for each function, so the edits of helpers are tried that another function has, too. That
    /// takes time, so it is done only if a later function fails.
    void find_edits(const std::string& function, const diagnosis::NumericResult& judged);

    struct Remembered {
        std::string function;
        std::vector<edits::Edit> edits;
        bool listed = false;  ///< a mistake of the assignment's list
    };
    std::vector<std::pair<std::string, diagnosis::NumericResult>>
        judged_;  ///< of which no edits are found yet
    std::vector<Remembered> all_;
};

}  // namespace attn
