#include "grader/worker/call_deadline.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace attn::worker {

CallDeadline::CallDeadline(const Process& process, double limit_s)
    : process_(process),
      waited_at_start_s_(process.schedule().waited_s),
      limit_(in_seconds(limit_s)),
      last_(in_seconds(limit_s * kPatience)),
      next_(limit_) {}

bool CallDeadline::has_passed() {
    const auto now = Clock::now();
    if (now < next_) return false;
    const Schedule seen = process_.schedule();
    const std::chrono::duration<double> waited(seen.waited_s - waited_at_start_s_);
    next_ = limit_;
    if (waited.count() > 0)  // false if the kernel does not report it
        next_ += std::chrono::duration_cast<Clock::duration>(waited);
    // The kernel counts a wait when it ends, so a process that does not run at the moment is looked at again.
    constexpr std::chrono::milliseconds kUntilNextLook(50);
    const bool has_not_run = seen.ran_s <= std::exchange(ran_s_, seen.ran_s);
    if (seen.is_ready && has_not_run) next_ = std::max(next_, now + kUntilNextLook);
    next_ = std::min(next_, last_);
    return now >= next_;
}

}  // namespace attn::worker
