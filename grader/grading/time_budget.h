#pragma once
/// The time that a submission may take for an assignment as a whole. Each call has its own limit, but many
/// slow calls, slow starts and slow measurements together could take hours.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/judge/search_edits.h"
#include "grader/judge/student.h"
#include "grader/worker/process.h"

namespace attn {

class TimeBudget {
  public:
    explicit TimeBudget(double limit_s) : limit_s_(limit_s) {}

    /// Counts the time of its lifetime, under a name: "calls of softmax". Only one exists at a time.
    class Use {
      public:
        Use(TimeBudget& budget, std::string name) : budget_(budget) { budget_.begin(std::move(name)); }
        ~Use() { budget_.end(); }
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

      private:
        TimeBudget& budget_;
    };

    /// Nothing while there is time left. Afterwards the result of every further call: the outcome is
    /// over_budget, and the message names what took most of the time.
    std::optional<worker::CallResult> refusal() const;

    /// Makes calls as long as there is time left, and counts their time. `what`: "calls" or "kernels".
    judge::CallFunction limited(judge::CallFunction call, std::string what);

    judge::SearchTime searches;  ///< for the grader's own searches, which the limit does not count

  private:
    void begin(std::string name);
    void end();
    double used_s() const;

    double limit_s_;
    std::vector<std::pair<std::string, double>> used_;  ///< names with seconds
    std::optional<worker::Clock::time_point> started_;
    std::size_t current_ = 0;  ///< the index in used_ of what is running
};

}  // namespace attn
