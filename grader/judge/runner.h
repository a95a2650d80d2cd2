#pragma once
/// One of those whose time is taken.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grader/judge/speed.h"
#include "grader/report/report.h"

namespace attn::judge {

/// For what is shorter than its own cost of handing over, in seconds.
inline constexpr double kLeast_s = 1e-7;

class Runner {
  public:
    /// Asks `question` of who is started by `start`; both have to outlive it.
    Runner(const Question& question, const Start& start, int threads = 1,
           const worker::TimingOptions& guards = {})
        : question_(question), start_(start), threads_(threads), guards_(guards) {}

    /// A fresh process, which has been asked once. What is to become of its first answer is the caller's.
    worker::Batch restart(const Arrays& inputs);

    /// What a batch costs besides its calls, in seconds. To be asked of our own only: a submission could take
    /// its time where it is subtracted.
    double rehearsal_s(const Arrays& inputs);
    /// From now on this much of every batch does not count.
    void subtract(double besides_s) { besides_s_ = besides_s; }

    /// As many calls as make a batch long enough to be timed, at what a call has taken so far, if their
    /// arrays are not too large.
    int calls() const;

    /// Calls with these inputs, timed.
    worker::Batch run(std::span<const Arrays> inputs);

    /// Time of one call since the last restart: the median of the undisturbed batches, in seconds; NaN where
    /// there are none.
    double call_s() const;
    /// The last batch's, disturbed or not.
    double rough_s() const { return rough_s_; }

  private:
    worker::Batch time(std::span<const Arrays> inputs, const worker::TimingOptions& how);
    double used_s(const worker::Batch& batch) const;
    const Question& question_;
    const Start& start_;
    int threads_;
    worker::TimingOptions guards_;
    std::unique_ptr<worker::Worker> worker_;
    std::vector<double> call_s_;
    double besides_s_ = 0;
    double rough_s_ = 0;  ///< of a call
    double call_bytes_ = 1;
};

/// A check that came to nothing because a call did.
report::Check failed_check(worker::CallResult failed);

}  // namespace attn::judge
