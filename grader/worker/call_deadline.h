#pragma once
/// The time limit of one call.

#include <limits>

#include "grader/worker/process.h"

namespace attn::worker {

/// The limit leaves out the time in which the process was ready to run and waited for a processor: on a busy
/// machine a right call takes as long as others let it wait. In real time a call ends at the latest after
/// kPatience times its limit.
class CallDeadline {
  public:
    CallDeadline(const Process& process, double limit_s);

    /// When to ask again whether it has passed.
    Clock::time_point next() const { return next_; }
    /// Whether the call has used up its time. If not, next() is later than now.
    bool has_passed();

  private:
    static constexpr double kPatience = 12;

    const Process& process_;
    double waited_at_start_s_;
    double ran_s_ = std::numeric_limits<double>::infinity();  ///< when it was looked at last
    Clock::time_point limit_, last_, next_;
};

}  // namespace attn::worker
