#pragma once
/// Asks the parts of a submission, with stand-ins for earlier functions, and says which of these may be the cause of a
/// failure.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "grader/compile/builds.h"
#include "grader/grading/carry_forward.h"
#include "grader/grading/crash_lines.h"
#include "grader/grading/time_budget.h"
#include "grader/judge/student.h"
#include "grader/report/report.h"

namespace attn {

/// Asks one part of a submission with stand-ins. All that it is made of has to outlive it.
class AskedPart final : public PartWithStandIns {
  public:
    AskedPart(const rubric::Rubric& rubric, const rubric::PartRubric& rules, std::uint64_t seed,
              compile::Builds& builds, TimeBudget& budget, CrashLines& lines)
        : rubric_(rubric), rules_(rules), seed_(seed), builds_(builds), budget_(budget), lines_(lines) {}

    /// Makes calls as the student of these stand-ins, as long as `use` runs.
    template <class Use>
    auto with_student(const Names& stand_ins, const Use& use) {
        worker::Worker worker = builds_.worker_for(rubric_, rules_, stand_ins);
        judge::Student student(worker);
        return use(budget_.limited(std::ref(student), "calls"));
    }

    Judged ask(const Names& stand_ins) override;
    bool repeats(const Judged& like, const std::vector<std::size_t>& some, const Names& stand_ins) override;

  private:
    const rubric::Rubric& rubric_;
    const rubric::PartRubric& rules_;
    std::uint64_t seed_;
    compile::Builds& builds_;
    TimeBudget& budget_;
    CrashLines& lines_;
};

/// The functions that may be the cause if the part fails, the most likely ones first: those that are not begun, then those
/// of which nothing is known, then those that have all their points because of stand-ins or of a mistake that is charged
/// elsewhere. Others that have all their points are no cause.
/// `before`: the parts of this assignment that are judged already.
Names possible_causes(const rubric::Rubric& rubric, const rubric::PartRubric& rules,
                      const report::Assignment& before, compile::Builds& builds);

/// Which functions of a submission pass all their own checks without stand-ins. Each is asked once.
class OwnChecks {
  public:
    OwnChecks(compile::Builds& builds, std::uint64_t seed, TimeBudget& budget)
        : builds_(builds), seed_(seed), budget_(budget) {}

    bool pass(const std::string& function);

  private:
    bool ask(const std::string& function);

    compile::Builds& builds_;
    std::uint64_t seed_;
    TimeBudget& budget_;
    std::map<std::string, bool> known_;
};

}  // namespace attn
