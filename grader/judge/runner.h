#pragma once
/// One of those whose time is taken.

#include <memory>
#include <string>
#include <vector>

#include "grader/judge/speed.h"

namespace attn::judge {

class Runner {
  public:
    Runner(const Contest& contest, const Start& start) : contest_(contest), start_(start) {}

    /// A fresh process, which has been asked once. What is to become of its first answer is the caller's.
    worker::Batch restart(const Arrays& inputs);

    /// As many calls as make a batch long enough to be timed, at what a call has taken so far.
    int calls() const;

    /// Calls with these inputs, timed.
    worker::Batch run(const std::vector<Arrays>& inputs);

    /// The same but for the calls themselves: what it costs to hand them over.
    worker::Batch rehearse(const std::vector<Arrays>& inputs);

    /// The time of a batch that counts, in seconds.
    double used_s(const worker::Batch& batch) const;

    /// Takes note of a batch of `calls` that had this cost besides, unless it was disturbed.
    void note(const worker::Batch& batch, int calls, double besides_s);

    /// Time of one call since the last restart: the median of its batches, in seconds; NaN where all were
    /// disturbed.
    double call_s() const;
    /// The last batch's, disturbed or not.
    double rough_s() const { return rough_s_; }

  private:
    worker::Batch time(const std::vector<Arrays>& inputs, const worker::Timed& how);
    const Contest& contest_;
    const Start& start_;
    std::unique_ptr<worker::Worker> worker_;
    std::vector<double> call_s_;
    double rough_s_ = 0;  ///< of a call
};

}  // namespace attn::judge
