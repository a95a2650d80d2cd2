#pragma once
/// Error carried forward. If a part fails only because of an earlier function, it is judged again with the
/// reference implementation of that function. So each mistake is charged only once.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/report/report.h"

namespace attn {

/// Judges a part and returns its checks. The stand-ins are earlier functions for which the reference
/// implementation is used. If there are none, all functions are the student's.
using JudgeWith = std::function<std::vector<report::Check>(const std::vector<std::string>& stand_ins)>;

struct CarriedForward {
    std::vector<std::string> stand_ins;  ///< a minimal set that gives these checks
    std::vector<report::Check> checks;
};

/// Judges the part again with stand-ins. Returns nothing if that is no better than `own`, the checks with
/// the student's functions only: no more checks pass, no more failures are explained, and no fewer mistakes
/// explain them.
std::optional<CarriedForward> carry_forward(const std::vector<report::Check>& own,
                                            const std::vector<std::string>& builds_on,
                                            const JudgeWith& judge_with);

}  // namespace attn
