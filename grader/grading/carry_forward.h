#pragma once
/// Error carried forward: a part that fails only because of an earlier one is judged once more with the
/// reference in the earlier one's place, so that a mistake is charged once.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/report/report.h"

namespace attn {

/// The checks of a part, judged with the reference's version of these earlier functions (none: the student's
/// own) behind it.
using JudgeWith = std::function<std::vector<report::Check>(const std::vector<std::string>& stand_ins)>;

struct Carried {
    std::vector<std::string> stand_ins;  ///< the fewest that make the difference
    std::vector<report::Check> checks;
};

/// What the part is worth with the reference behind it; nothing where that makes no check pass and explains
/// no failure that `own` does not.
std::optional<Carried> carry_forward(const std::vector<report::Check>& own,
                                     const std::vector<std::string>& builds_on, const JudgeWith& judge_with);

}  // namespace attn
