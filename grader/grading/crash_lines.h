#pragma once
/// The lines of a submission at which calls fail. A call that failed is made once more with a watched build
/// (compile::Builds::watched), which checks every access to memory.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/compile/builds.h"
#include "grader/diagnosis/numeric.h"
#include "grader/grading/time_budget.h"
#include "grader/judge/student.h"

namespace attn {

/// For the calls of one assignment.
class CrashLines {
  public:
    /// `watched`: the watched build of the submission. All three have to outlive this object.
    CrashLines(compile::Builds& watched, const rubric::Rubric& rubric, TimeBudget& budget)
        : watched_(watched), rubric_(rubric), budget_(budget) {}

    /// Makes the same calls as `call`. Adds the lines to the result of a call that crashed, left an array or
    /// threw. `stand_ins`: as for Builds::worker_for. `part` has to outlive the result.
    judge::CallFunction with_lines(judge::CallFunction call, const rubric::PartRubric& part,
                                   std::vector<std::string> stand_ins);

    /// Numbers may be wrong because of an access beyond an array that no page guards. If no mistake explains
    /// the wrong numbers, looks for such an access in one of the calls, once in an assignment, and adds it to
    /// the check.
    void add_silent_error(const rubric::PartRubric& part, const std::vector<std::string>& stand_ins,
                          diagnosis::NumericResult& judged);

  private:
    /// `failed_with`: the outcome of the call that is made once more.
    std::optional<SourceTrace> repeat(const rubric::PartRubric& part,
                                      const std::vector<std::string>& stand_ins,
                                      const ask::Function& function, const Arrays& inputs,
                                      const std::vector<std::string>& wanted, worker::Placement placement,
                                      Outcome failed_with);
    SourceTrace resolved(const std::vector<std::filesystem::path>& libraries,
                         const worker::CallResult& result);
    /// The submission's lines of each trace, innermost first, with every repetition.
    std::vector<std::vector<SourceLine>> lines_of(const std::vector<std::filesystem::path>& libraries,
                                                  const std::vector<std::string>& traces);

    compile::Builds& watched_;
    const rubric::Rubric& rubric_;
    TimeBudget& budget_;
    std::string function_;  ///< whose calls were repeated last, and its stand-ins
    int repeated_ = 0;      ///< calls of this function
    int nothing_new_ = 0;   ///< those of them that failed at a known place, or gave no place
    double time_s_ = 0;     ///< of all calls that were repeated
    std::map<std::string, std::vector<SourceLine>> known_;  ///< by trace
    bool looked_for_silent_error_ = false;
};

}  // namespace attn
