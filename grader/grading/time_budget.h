#pragma once
/// The time that a submission may take for an assignment as a whole. Each call has its own limit, but many
/// slow calls, slow starts and slow measurements together could take hours.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/diagnosis/search_edits.h"
#include "grader/judge/student.h"
#include "grader/worker/process.h"

namespace attn {

class TimeBudget {
  public:
    explicit TimeBudget(double limit_s) : limit_s_(limit_s) {}

    /// Counts the time of its lifetime, under a name: "calls of softmax". While another one exists within its
    /// lifetime, the time counts under that name only.
    class Use {
      public:
        Use(TimeBudget& budget, std::string name) : budget_(budget) { budget_.begin(std::move(name)); }
        ~Use() { budget_.end(); }
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

      private:
        TimeBudget& budget_;
    };

    /// Counts the grader's own work in the same way, but only its processor time, so that no mark depends on
    /// what else the machine does. It has a limit of its own, as long as the other: a text that makes the
    /// grader slow costs its own assignment only. All own work of one lifetime is done by one thread.
    class OwnWork : public Use {
      public:
        explicit OwnWork(TimeBudget& budget) : Use(budget, kOwnWork) {}
    };

    /// Nothing while there is time left. Afterwards the result of every further call: the outcome is
    /// over_budget, and the message names what took most of the time.
    std::optional<worker::CallResult> refusal();

    /// Makes calls as long as there is time left, and counts their time. `what`: "calls" or "kernels".
    judge::CallFunction limited(judge::CallFunction call, std::string what);

    diagnosis::SearchWork searches;  ///< for the grader's own searches

  private:
    static constexpr const char* kOwnWork = "the grader's own work";
    void begin(std::string name);
    void end();
    /// Adds the time since then to what is running.
    void count();

    double limit_s_;
    std::vector<std::pair<std::string, double>> used_;  ///< names with seconds
    std::vector<std::size_t> running_;                  ///< indices in used_; the last one counts
    worker::Clock::time_point since_;
    double worked_before_s_ = 0;  ///< the processor time at `since_`
};

}  // namespace attn
