#pragma once
/// Error carried forward. A part that fails because of an earlier function is judged again with the reference
/// implementation of that function. So each mistake is charged only once.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/grading/judge_part.h"

namespace attn {

using Names = std::vector<std::string>;

/// Asks a part. The stand-ins are earlier functions for which the reference implementation is used; all others
/// are the student's.
class PartWithStandIns {
  public:
    virtual ~PartWithStandIns() = default;
    /// All checks.
    virtual Judged ask(const Names& stand_ins) = 0;
    /// Whether the checks `some` of an earlier answer `like` have the same result with these stand-ins.
    virtual bool repeats(const Judged& like, const std::vector<std::size_t>& some,
                         const Names& stand_ins) = 0;
};

struct CarriedForward {
    Names stand_ins;  ///< a minimal set that gives these results
    Judged judged;
};

/// What became of a part with stand-ins.
struct Carried {
    std::optional<CarriedForward> forward;
    /// Whether a stand-in for a right function changes wrong answers, so that their rounding errors are enlarged.
    bool enlarges_rounding = false;
};

/// Whether two answers to one question have the same outcome and, if they are wrong, nearly the same numbers.
bool alike(const judge::Verdict& a, const judge::Verdict& b);

/// Judges the part again with stand-ins. `own`: with the student's functions only. `may_call`: those that may
/// get a stand-in, the most likely causes first. Returns nothing if fewer checks pass with stand-ins, or if
/// nothing changes. A failure that changes without passing counts: what is wrong then is this part's own
/// mistake, without that of the earlier function.
std::optional<CarriedForward> carry_forward(const Judged& own, const Names& may_call, PartWithStandIns& part);

/// The same, but stand-ins that make no check pass are kept only for functions that fail checks of their own. Where a
/// mistake enlarges rounding errors, as a step of gradient / |gradient| does, a right function's stand-in changes every
/// number, too. `passes`: whether a function passes all its own checks.
Carried carry_from_wrong_ones(const Judged& own, const Names& may_call, PartWithStandIns& part,
                              const std::function<bool(const std::string&)>& passes);

}  // namespace attn
