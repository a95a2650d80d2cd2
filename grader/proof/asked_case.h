#pragma once
/// One case with its truth, asked of many edits of the plain loops.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "grader/ask/edited.h"
#include "grader/edits/edit.h"
#include "grader/judge/answer.h"

namespace attn::proof {

/// A case whose plain loops take more iterations is not asked: thousands of edits would take hours. (Only the whole
/// training of assignment 14 does.) An edit that it alone notices counts as a survivor.
inline constexpr std::int64_t kMostSteps = std::int64_t{1} << 21;

class AskedCase {
  public:
    explicit AskedCase(judge::Question question);

    std::int64_t steps() const { return call_.steps(); }
    bool is_too_long() const { return !refused_ && !call_.possible(); }
    const std::string& name() const { return question_.name; }
    std::string about() const { return question_.about(); }
    /// The count of the inputs' numbers.
    std::size_t work() const;

    enum class Answer { right, wrong, none };
    Answer ask(const edits::EditedFunctions& edited);

  private:
    judge::Question question_;
    Arrays inputs_, truth_;
    bool refused_;
    ask::EditedCall call_;
    std::vector<double> units_;
};

/// Nothing if a recipe is not made for this function or these sizes, if the function refuses them, or if the truth
/// is not finite.
std::unique_ptr<AskedCase> asked_or_none(const judge::Question& question);

}  // namespace attn::proof
